package kvant.load.plan;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Check;
import kvant.text.Drafts;

/// The rate and the duration of a run.
///
/// @param rate requests per second over all connections; 0 in a closed loop
/// @param duration of the measurement, after the warm-up
/// @param drain time after the measurement in which due requests may still be sent and answered
/// @param window length of a window
public record Pace(Arrivals.Law law, double rate, Warmup warmup, Duration duration, Duration drain, Duration window) {

    public static final double MOST_RATE = 1e8;
    public static final Duration LONGEST = Duration.ofHours(24);

    /// Minimum length: a window costs a line of the result and some microseconds of the collecting thread.
    private static final Duration SHORTEST_WINDOW = Duration.ofMillis(10);

    private static final long MOST_WINDOWS = 100_000;

    public Pace {
        Check.that(
                law == Arrivals.Law.CLOSED || (rate > 0 && rate <= MOST_RATE),
                "a rate must be above 0 requests a second, and at most 100M; leave it out for a closed loop");
        Check.that(
                duration.isPositive() && duration.compareTo(LONGEST) <= 0,
                "a duration must be above 0 and at most 24h");
        Check.that(!drain.isNegative() && drain.compareTo(LONGEST) <= 0, "a drain must be from 0s to 24h");
        Check.that(
                window.compareTo(SHORTEST_WINDOW) >= 0 && window.compareTo(LONGEST) <= 0,
                "a window must be from 10ms to 24h");
        Check.that(
                duration.dividedBy(window) <= MOST_WINDOWS,
                "a run has at most " + MOST_WINDOWS + " windows: take a longer '--window'");
    }

    /// An open loop: a constant rate, independent of the server.
    public static Pace open(double rate, Duration duration) {
        return closed(duration).with(pace -> {
            pace.law = Arrivals.Law.UNIFORM;
            pace.rate = rate;
        });
    }

    /// A closed loop: as fast as the server answers.
    public static Pace closed(Duration duration) {
        return Drafts.made(Pace.class, new Draft(duration));
    }

    public boolean isClosed() {
        return law == Arrivals.Law.CLOSED;
    }

    /// This pace with some of it changed: `pace.with(p -> p.drain = Duration.ZERO)`.
    public Pace with(Consumer<Draft> change) {
        return Drafts.changed(Pace.class, this, new Draft(duration), change);
    }

    /// A builder for paces.
    public static final class Draft {

        public Arrivals.Law law = Arrivals.Law.CLOSED;
        public double rate;
        public Warmup warmup = Warmup.none();
        public Duration duration;
        public Duration drain = Duration.ofSeconds(1);
        public Duration window = Duration.ofSeconds(1);

        private Draft(Duration duration) {
            this.duration = duration;
        }
    }
}
