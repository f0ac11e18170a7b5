package kvant.lab.experiment;

import java.time.Duration;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.text.Units;

/// The handling of steps during which processor time was taken away from outside the run. It is fixed before the run
/// and recorded with it, because a rule chosen afterwards would bias the result. It depends on the host alone.
///
/// A disturbed step is measured again, so that both sides of a comparison run on a calm host. If it is still disturbed,
/// the rule that excludes blocks of rounds from verdicts applies.
///
/// @param above share of the processors that may be taken away; NaN if no step counts as disturbed
/// @param again maximum number of repetitions of a disturbed step, or of a disturbed turn
/// @param slice duration of a variant in each turn of an interleaved round; zero for rounds that are not interleaved
public record HostBound(double above, int again, Duration slice) {

    /// The default.
    public static final HostBound USUAL = new HostBound(0.1, 0);

    /// For short steps, in which a brief disturbance is a large part.
    static final HostBound DECIDING = new HostBound(0.05, 6, Duration.ofSeconds(1));

    public static final int MOST_AGAIN = 20;

    private static final String OFF = "off";

    /// Shorter times are below the resolution of the system's statistics.
    private static final Duration SHORTEST_SLICE = Duration.ofMillis(200);

    private static final Duration LONGEST_SLICE = Duration.ofMinutes(1);

    /// For rounds that are not interleaved.
    public HostBound(double above, int again) {
        this(above, again, Duration.ZERO);
    }

    public boolean isInterleaved() {
        return slice.isPositive();
    }

    /// The number of turns for the measured time: equally many in both orders of the variants.
    public int turns(Duration measured) {
        long both = 2 * slice.toNanos();
        return (int) (2 * Math.max(1, (measured.toNanos() + both - 1) / both));
    }

    /// Parses a share such as `10%`, or `off`.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static double parse(String text) {
        if (text.equals(OFF)) {
            return Double.NaN;
        }
        try {
            return Question.margin(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is neither a share from 1% to 100% nor 'off'", e);
        }
    }

    /// The inverse of [#parse].
    public static String text(double bound) {
        return Double.isNaN(bound) ? OFF : Question.margin(bound);
    }

    /// Parses a duration such as `1s`, or `off`.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Duration parseSlice(String text) {
        Duration slice = text.equals(OFF) ? Duration.ZERO : Units.duration(text);
        boolean known = slice.compareTo(SHORTEST_SLICE) >= 0 && slice.compareTo(LONGEST_SLICE) <= 0;
        if (!known && !text.equals(OFF)) {
            throw new IllegalArgumentException("'" + text + "' is neither a time from 200ms to 1m nor 'off'");
        }
        return slice;
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    public static int parseAgain(String text) {
        if (!text.matches("\\d{1,2}") || Integer.parseInt(text) > MOST_AGAIN) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 0 to " + MOST_AGAIN);
        }
        return Integer.parseInt(text);
    }
}
