package kvant.load.keys;

import kvant.text.Check;

/// Ranks by Zipf's law: rank `k` (from 0) is drawn with probability proportional to `1 / (k + 1)^theta`.
///
/// The algorithm is that of Gray et al., "Quickly Generating Billion-Record Synthetic Databases" (SIGMOD 1994), as in
/// YCSB: exact for the first two ranks, an integral for the rest.
public final class Zipfian {

    /// The exponent used by YCSB.
    public static final double YCSB_THETA = 0.99;

    /// Number of terms that are added individually; the rest is an integral with an error far below that of a draw.
    private static final long SUMMED_TERMS = 100_000;

    private final long items;
    private final double alpha;
    private final double zeta;
    private final double eta;
    private final double second;

    /// @param theta skew, above 0 and below 1
    public Zipfian(long items, double theta) {
        Check.that(items >= 1 && theta > 0 && theta < 1, "zipfian needs at least one item and a theta between 0 and 1");
        this.items = items;
        this.alpha = 1 / (1 - theta);
        this.zeta = zeta(items, theta);
        this.second = 1 + Math.pow(0.5, theta);
        this.eta = (1 - Math.pow(2.0 / items, 1 - theta)) / (1 - zeta(2, theta) / zeta);
    }

    /// The sum of `1 / i^theta` for i from 1 to n, with the Euler-Maclaurin formula for large n.
    static double zeta(long n, double theta) {
        long summed = Math.min(n, SUMMED_TERMS);
        double sum = 0;
        for (long i = 1; i <= summed; i++) {
            sum += Math.pow(i, -theta);
        }
        if (n > summed) {
            double integral = (Math.pow(n, 1 - theta) - Math.pow(summed, 1 - theta)) / (1 - theta);
            sum += integral + (Math.pow(n, -theta) - Math.pow(summed, -theta)) / 2;
        }
        return sum;
    }

    public long next(SplitMix64 random) {
        double u = random.nextDouble();
        double uz = u * zeta;
        if (uz < 1 || items == 1) {
            return 0;
        }
        if (uz < second || items == 2) {
            return 1;
        }
        long rank = (long) (items * Math.pow(eta * u - eta + 1, alpha));
        return Math.min(rank, items - 1);
    }
}
