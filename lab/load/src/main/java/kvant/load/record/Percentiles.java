package kvant.load.record;

/// The percentiles that reports show, and their names.
public final class Percentiles {

    private static final double[] SHOWN = {50, 75, 90, 99, 99.9, 99.99, 99.999, 100};

    /// A percentile needs so many requests beyond it to be more than a few accidents.
    public static final int LEAST_BEYOND = 10;

    private static final double MAXIMUM = 100;

    /// What a share that is no power of two may lose in a multiplication.
    private static final double ROUNDING = 1e-6;

    private Percentiles() {}

    /// Whether there are enough requests beyond a percentile of so many.
    public static boolean isTold(double percentile, long requests) {
        return requests * (1 - percentile / 100) >= LEAST_BEYOND - ROUNDING;
    }

    /// Whether a report has a figure for it: where it is told, and the maximum of any.
    public static boolean isShown(double percentile, long requests) {
        return percentile == MAXIMUM ? requests > 0 : isTold(percentile, requests);
    }

    /// Of so many a percentile can be told.
    public static double leastRequests(double percentile) {
        return LEAST_BEYOND / (1 - percentile / 100);
    }

    public static double[] shown() {
        return SHOWN.clone();
    }

    /// Such as `99.9`.
    public static String name(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : String.valueOf(percentile);
    }
}
