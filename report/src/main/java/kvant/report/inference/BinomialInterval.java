package kvant.report.inference;

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

    /// @param count of the runs, those that had it
    /// @param of all runs, at least one
    /// @param confidence such as 0.95
    public static BinomialInterval of(int count, int of, double confidence) {
        if (count < 0 || of < 1 || count > of) {
            throw new IllegalArgumentException(count + " of " + of);
        }
        double tail = (1 - confidence) / 2;
        return new BinomialInterval(1 - high(of - count, of, tail), high(count, of, tail));
    }

    /// The probability with which so few are as rare as the tail.
    private static double high(int count, int of, double tail) {
        if (count == of) {
            return 1;
        }
        double low = (double) count / of;
        double high = 1;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (atMost(count, of, middle) > tail) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /// How likely at most so many are. In logarithms, as the number of ways is beyond a double from 1,030
    /// runs on.
    private static double atMost(int count, int of, double probability) {
        double sum = 0;
        double logWays = 0;
        for (int i = 0; i <= count; i++) {
            sum += Math.exp(logWays + i * Math.log(probability) + (of - i) * Math.log1p(-probability));
            logWays += Math.log(of - i) - Math.log(i + 1);
        }
        return sum;
    }
}
