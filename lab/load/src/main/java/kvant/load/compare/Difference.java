package kvant.load.compare;

/// The difference of one figure between two sides.
///
/// @param a in nanoseconds, or answers per second
/// @param change `b / a - 1`
/// @param low lower end of the confidence interval of the change
/// @param high upper end
public record Difference(String figure, double a, double b, double change, double low, double high, Verdict verdict) {

    /// The conclusion about B.
    public enum Verdict {
        BETTER,
        WORSE,
        /// A relevant difference is ruled out.
        SAME,
        /// A relevant difference is possible, but not shown.
        UNDERPOWERED,
        /// Too few data for a conclusion.
        TOO_FEW
    }

    /// The largest factor, in either direction, by which B may differ from A; NaN without an interval.
    public double hidden() {
        return hidden(low, high);
    }

    static double hidden(double low, double high) {
        return Math.max(1 + high, 1 / (1 + low));
    }
}
