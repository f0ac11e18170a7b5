package kvant.load.compare;

/// One figure of two sides.
///
/// @param a in nanoseconds, or answers a second
/// @param change `b / a - 1`
/// @param low lower end of the confidence interval of the change
/// @param high upper end
public record Difference(String figure, double a, double b, double change, double low, double high, Verdict verdict) {

    /// What a person may conclude about B.
    public enum Verdict {
        BETTER,
        WORSE,
        /// A difference that matters is ruled out.
        SAME,
        /// There may be a difference that matters, or none.
        UNDERPOWERED,
        /// There is too little to say anything.
        TOO_FEW
    }

    /// The largest factor, either way, by which B may differ from A; NaN where there is no interval.
    public double hidden() {
        return hidden(low, high);
    }

    static double hidden(double low, double high) {
        return Math.max(1 + high, 1 / (1 + low));
    }
}
