package kvant.lab.report;

import java.util.Locale;

/// The percentiles that reports show, and how times are written for a person.
public final class Percentiles {

    private static final double[] SHOWN = {50, 75, 90, 99, 99.9, 99.99, 99.999, 100};

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MINUTE = 60e9;

    private Percentiles() {}

    public static double[] shown() {
        return SHOWN.clone();
    }

    /// Such as `99.9`.
    public static String name(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : String.valueOf(percentile);
    }

    /// As wrk does: `640.00us`, `1.23ms`, `2.00s`, `1.50m`.
    public static String time(double nanos) {
        double size = Math.abs(nanos);
        if (size < NANOS_PER_MILLI) {
            return String.format(Locale.ROOT, "%.2fus", nanos / NANOS_PER_MICRO);
        }
        if (size < NANOS_PER_SECOND) {
            return String.format(Locale.ROOT, "%.2fms", nanos / NANOS_PER_MILLI);
        }
        return size < NANOS_PER_MINUTE
                ? String.format(Locale.ROOT, "%.2fs", nanos / NANOS_PER_SECOND)
                : String.format(Locale.ROOT, "%.2fm", nanos / NANOS_PER_MINUTE);
    }

    /// Such as `12.30MB`.
    public static String bytes(double bytes) {
        if (bytes < 1 << 10) {
            return String.format(Locale.ROOT, "%.0fB", bytes);
        }
        if (bytes < 1 << 20) {
            return String.format(Locale.ROOT, "%.2fKB", bytes / (1 << 10));
        }
        return bytes < 1 << 30
                ? String.format(Locale.ROOT, "%.2fMB", bytes / (1 << 20))
                : String.format(Locale.ROOT, "%.2fGB", bytes / (1 << 30));
    }
}
