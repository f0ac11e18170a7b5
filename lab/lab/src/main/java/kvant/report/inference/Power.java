package kvant.report.inference;

/// How many rounds it takes to see a difference.
public final class Power {

    /// With this probability the difference is found; or, where there is none, the interval lies within it.
    public static final double OF = 0.8;

    /// The quantile of [#OF] of the normal law.
    private static final double QUANTILE = 0.8416;

    /// More than these are not worth a number.
    public static final int MOST_UNITS = 100_000;

    private Power() {}

    /// The least number of units whose interval, together with the chance of their mean, is no wider than the
    /// difference.
    ///
    /// @param spread standard deviation of a unit
    /// @param difference a logarithm
    /// @return [#MOST_UNITS] where it takes that many or more
    public static int units(Design design, double confidence, double spread, double difference) {
        int high = design.leastUnits();
        while (high < MOST_UNITS && !suffices(design, confidence, spread, difference, high)) {
            high *= 2;
        }
        int low = high / 2;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (middle >= design.leastUnits() && suffices(design, confidence, spread, difference, middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.min(MOST_UNITS, high);
    }

    private static boolean suffices(Design design, double confidence, double spread, double difference, int units) {
        double errors = Schedule.planned(design, confidence, units) + QUANTILE;
        return errors * spread / Math.sqrt(units) <= difference;
    }
}
