package kvant.load.compare;

/// The interval of a probability, of runs that had something so often, as
/// [Clopper and Pearson, 1934](https://doi.org/10.1093/biomet/26.4.404) have it. It is exact: it holds the
/// probability at least as often as the confidence says, however few the runs are. The usual approximation by
/// a normal law has no uncertainty at all for 0 of 42.
///
/// @param low 0 where no run had it
/// @param high 1 where all had
public record BinomialInterval(double low, double high) {

    /// Until the halves are as close as doubles are.
    private static final int BISECTIONS = 60;

    /// A term that is a smaller part of the sum does not change it.
    private static final double NEGLIGIBLE = 1e-17;

    /// @param count of the runs, those that had it
    /// @param of all runs, at least one
    /// @param confidence such as 0.95
    public static BinomialInterval of(long count, long of, double confidence) {
        if (count < 0 || of < 1 || count > of) {
            throw new IllegalArgumentException(count + " of " + of);
        }
        double tail = (1 - confidence) / 2;
        double logWays = logWays(Math.min(count, of - count), of);
        return new BinomialInterval(1 - high(of - count, of, tail, logWays), high(count, of, tail, logWays));
    }

    /// In how many ways so many can be chosen, as a logarithm: the number is beyond a double from 1,030 runs on.
    private static double logWays(long count, long of) {
        double log = 0;
        for (long i = 0; i < count; i++) {
            log += Math.log((double) (of - i) / (i + 1));
        }
        return log;
    }

    /// The probability with which so few are as rare as the tail.
    private static double high(long count, long of, double tail, double logWays) {
        if (count == of) {
            return 1;
        }
        double low = (double) count / of;
        double high = 1;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (atMost(count, of, middle, logWays) > tail) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /// How likely at most so many are, where that is fewer than one expects: the largest is the likeliest, and what is
    /// below it soon does not matter, so that counts of millions take no longer than those of thousands.
    ///
    /// @param logWays of the largest
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
