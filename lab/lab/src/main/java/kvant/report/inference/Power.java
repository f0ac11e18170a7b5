package kvant.report.inference;

/// Estimates the number of rounds needed to detect a difference.
public final class Power {

    /// Probability of detecting an existing difference; or, if there is none, of an interval within the margin.
    public static final double OF = 0.8;

    /// The quantile of [#OF] of the normal distribution.
    private static final double QUANTILE = 0.8416;

    /// Upper bound for reported numbers.
    public static final int MOST_UNITS = 100_000;

    private Power() {}

    /// The smallest number of units at which half the interval, plus the chance variation of the mean, is at most the
    /// difference.
    ///
    /// @param spread standard deviation of a unit
    /// @param difference a logarithm
    /// @return [#MOST_UNITS] if that many or more are needed
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
