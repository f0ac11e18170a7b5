package kvant.load.record;

/// The percentiles in reports, and their names.
public final class Percentiles {

    private static final double[] SHOWN = {50, 75, 90, 99, 99.9, 99.99, 99.999, 100};

    /// Minimum number of requests beyond a percentile for it to be meaningful.
    public static final int LEAST_BEYOND = 10;

    private static final double MAXIMUM = 100;

    /// Rounding tolerance for the multiplication with a share that is not exact in binary.
    private static final double ROUNDING = 1e-6;

    private Percentiles() {}

    /// True if enough of these requests lie beyond the percentile.
    public static boolean isTold(double percentile, long requests) {
        return requests * (1 - percentile / 100) >= LEAST_BEYOND - ROUNDING;
    }

    /// True if a report shows the figure: a meaningful percentile, or the maximum of any requests.
    public static boolean isShown(double percentile, long requests) {
        return percentile == MAXIMUM ? requests > 0 : isTold(percentile, requests);
    }

    /// Minimum number of requests for a meaningful percentile.
    public static double leastRequests(double percentile) {
        return LEAST_BEYOND / (1 - percentile / 100);
    }

    public static double[] shown() {
        return SHOWN.clone();
    }

    /// The name, such as `99.9`.
    public static String name(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : String.valueOf(percentile);
    }
}
