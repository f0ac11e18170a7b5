package kvant.load.run;

import java.util.List;
import kvant.load.record.Window;

/// Detects the end of the warm-up: the last windows agree with those before them.
final class SteadyState {

    /// Number of windows that are compared with as many before them.
    private static final int COMPARED = 3;

    /// Minimum number of warm-up windows.
    private static final int LEAST = 5;

    private static final double RATE_TOLERANCE = 0.05;
    private static final double MEDIAN_TOLERANCE = 0.10;
    private static final double TAIL_TOLERANCE = 0.25;

    private SteadyState() {}

    /// True if the last windows agree with those before them in rate, p50 and p99. Medians are compared, so that a
    /// single garbage collection does not decide.
    static boolean isReached(List<Window> windows) {
        int count = windows.size();
        if (count < Math.max(LEAST, 2 * COMPARED)) {
            return false;
        }
        if (windows.subList(count - 2 * COMPARED, count).stream().anyMatch(window -> window.answered() == 0)) {
            return false; // empty windows are always equal
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
