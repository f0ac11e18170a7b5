package kvant.load.plan;

import java.time.Duration;
import kvant.text.Check;

/// The warm-up excluded at the start of a run, because a cold JVM, cold caches and new connections do not represent a
/// running server.
///
/// @param auto whether it ends when successive windows agree, at most after `limit`; otherwise exactly after `limit`
public record Warmup(boolean auto, Duration limit) {

    private static final Duration AUTO_LIMIT = Duration.ofSeconds(60);

    public Warmup {
        Check.that(!limit.isNegative() && limit.compareTo(Pace.LONGEST) <= 0, "a warm-up must be from 0s to 24h");
    }

    public static Warmup none() {
        return new Warmup(false, Duration.ZERO);
    }

    public static Warmup untilStable() {
        return new Warmup(true, AUTO_LIMIT);
    }

    public static Warmup fixed(Duration length) {
        return new Warmup(false, length);
    }

    public boolean isNone() {
        return limit.isZero();
    }
}
