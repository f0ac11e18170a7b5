package kvant.report.inference;

/// Intervals for the mean of normal values of unknown spread that hold at all numbers of values at once, so
/// that whoever looks after each value and stops when he likes what he sees is still wrong no more often
/// than he says (Wang and Ramdas, 2023, [Anytime-valid t-tests](https://arxiv.org/abs/2310.03722): the
/// right Haar measure over the spread, a normal mixture over the mean; their test martingale in the
/// filtration of the t statistics).
///
/// With n values, `r = c / (n + c)` and `q = t² / (n - 1)`, the martingale is
///
///     √r · ((1 + q) / (1 + r·q))^(n/2)
///
/// By Ville's inequality it stays below `1 / α` for all n with probability `1 - α`; solved for t, that is
/// [#halfWidth].
public final class ConfidenceSequence {

    /// How much the mixture is drawn to small means: the precision of its normal law, in units of the
    /// spread. Intervals are the narrowest at about ten to forty values.
    private static final double PRECISION = 0.3;

    private ConfidenceSequence() {}

    /// How many standard errors hold the mean with this confidence, at this and all other numbers of values;
    /// infinite while there are too few of them for any interval.
    public static double halfWidth(double confidence, int values) {
        double r = PRECISION / (values + PRECISION);
        double limit = Math.pow(1 / ((1 - confidence) * Math.sqrt(r)), 2.0 / values);
        return limit * r >= 1 ? Double.POSITIVE_INFINITY : Math.sqrt((values - 1) * (limit - 1) / (1 - limit * r));
    }
}
