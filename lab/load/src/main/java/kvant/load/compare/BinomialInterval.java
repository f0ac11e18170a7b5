package kvant.load.compare;

import kvant.text.Check;

/// The exact confidence interval of a probability estimated from a count of runs ([Clopper and Pearson,
/// 1934](https://doi.org/10.1093/biomet/26.4.404)). It covers the probability at least as often as the confidence level
/// states, however few the runs are. The usual normal approximation gives no uncertainty at all for 0 of 42.
///
/// @param low 0 if the count is 0
/// @param high 1 if the count is the number of runs
public record BinomialInterval(double low, double high) {

    /// Enough for the precision of a double.
    private static final int BISECTIONS = 60;

    /// Relative size below which a term does not change the sum.
    private static final double NEGLIGIBLE = 1e-17;

    /// @param count number of runs with the event
    /// @param of number of all runs, at least one
    /// @param confidence such as 0.95
    public static BinomialInterval of(long count, long of, double confidence) {
        Check.that(count >= 0 && of >= 1 && count <= of, count + " of " + of);
        double tail = (1 - confidence) / 2;
        double logWays = logWays(Math.min(count, of - count), of);
        return new BinomialInterval(1 - high(of - count, of, tail, logWays), high(count, of, tail, logWays));
    }

    /// The logarithm of the binomial coefficient, which itself exceeds a double from 1,030 runs on.
    private static double logWays(long count, long of) {
        double log = 0;
        for (long i = 0; i < count; i++) {
            log += Math.log((double) (of - i) / (i + 1));
        }
        return log;
    }

    /// The upper limit: the probability at which a count this low has the probability `tail`.
    private static double high(long count, long of, double tail, double logWays) {
        if (count == of) {
            return 1;
        }
        return Student.highest((double) count / of, 1, BISECTIONS, p -> atMost(count, of, p, logWays) > tail);
    }

    /// The binomial probability of at most `count` events, for a count below the expected one. The largest term comes
    /// first, and the sum stops at negligible terms, so that counts of millions take no longer than those of
    /// thousands.
    /// @param logWays logarithm of the coefficient of the largest term
    private static double atMost(long count, long of, double probability, double logWays) {
        double odds = probability / (1 - probability);
        double term = Math.exp(logWays + count * Math.log(probability) + (of - count) * Math.log1p(-probability));
        double sum = term;
        for (long i = count; i > 0 && term > NEGLIGIBLE * sum; i--) {
            term *= i / ((of - i + 1) * odds);
            sum += term;
        }
        return sum;
    }
}
