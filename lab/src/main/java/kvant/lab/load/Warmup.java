package kvant.lab.load;

import java.time.Duration;
import java.util.List;
import kvant.lab.record.Window;

/// What is left out at the start, because a cold JVM, cold caches and new connections say nothing of a server that
/// runs.
///
/// @param auto until successive windows agree, at most `limit`; else exactly `limit`
public record Warmup(boolean auto, Duration limit) {

    /// Windows that are compared with as many before them.
    static final int COMPARED = 3;

    /// Windows that are warm-up whatever they say.
    static final int LEAST = 5;

    static final double RATE_TOLERANCE = 0.05;
    static final double MEDIAN_TOLERANCE = 0.10;
    static final double TAIL_TOLERANCE = 0.25;

    private static final Duration AUTO_LIMIT = Duration.ofSeconds(60);

    public Warmup {
        if (limit.isNegative() || limit.compareTo(Pace.LONGEST) > 0) {
            throw new IllegalArgumentException("a warm-up must be from 0s to 24h");
        }
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

    /// Whether the last windows agree with those before them in rate, p50 and p99. Medians, so that one collection of
    /// garbage does not decide.
    static boolean isStable(List<Window> windows) {
        int count = windows.size();
        if (count < Math.max(LEAST, 2 * COMPARED)) {
            return false;
        }
        List<Window> last = windows.subList(count - COMPARED, count);
        List<Window> before = windows.subList(count - 2 * COMPARED, count - COMPARED);
        return agree(median(last, 0), median(before, 0), RATE_TOLERANCE)
                && agree(median(last, 1), median(before, 1), MEDIAN_TOLERANCE)
                && agree(median(last, 2), median(before, 2), TAIL_TOLERANCE);
    }

    private static double median(List<Window> windows, int figure) {
        double[] values = windows.stream()
                .mapToDouble(window -> switch (figure) {
                    case 0 -> window.rate();
                    case 1 -> window.p50Nanos();
                    default -> window.p99Nanos();
                })
                .sorted()
                .toArray();
        return values[values.length / 2];
    }

    private static boolean agree(double now, double before, double tolerance) {
        return Math.abs(now - before) <= tolerance * Math.max(now, before);
    }
}
