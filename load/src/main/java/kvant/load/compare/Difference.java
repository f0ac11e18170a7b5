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
        NO_DIFFERENCE,
        /// There is too little to say anything.
        TOO_FEW
    }
}
