package kvant.load.compare;

import java.util.List;
import kvant.load.compare.Difference.Verdict;

/// The shares of failed requests on both sides, and their difference.
///
/// Failures come in bursts: a server that is down for a second fails all requests of that second. The error of a share
/// is therefore that of a ratio estimator over units of time or runs (Cochran, Sampling Techniques, 1977, 2.11). With
/// very few failures units agree by chance, so the interval is never narrower than the counts allow: the difference of
/// the exact intervals of both shares ([BinomialInterval]), each with half of the error probability.
///
/// @param a as a share, 0 to 1
/// @param low the smallest difference, b - a; NaN with too few units
/// @param verdict on B, which is worse if more requests fail; the margin is a tenth of a percent of all requests
public record FailureDifference(double a, double b, double low, double high, Verdict verdict) {

    /// The smallest relevant difference, as a share of all requests.
    public static final double MARGIN = 0.001;

    /// The requests of one unit.
    ///
    /// @param failed requests without the wanted result
    public record Unit(long failed, long due) {

        static Unit sum(List<Unit> units) {
            return new Unit(
                    units.stream().mapToLong(Unit::failed).sum(),
                    units.stream().mapToLong(Unit::due).sum());
        }

        double share() {
            return (double) failed / Math.max(1, due);
        }

        BinomialInterval interval(double confidence) {
            return BinomialInterval.of(Math.min(failed, due), Math.max(1, due), confidence);
        }
    }

    /// @param confidence such as 0.95
    /// @param needed minimum number of units of each side for an interval, at least 2
    static FailureDifference of(List<Unit> a, List<Unit> b, double confidence, int needed) {
        Unit allOfA = Unit.sum(a);
        Unit allOfB = Unit.sum(b);
        int units = Math.min(a.size(), b.size());
        if (units < needed) {
            return new FailureDifference(allOfA.share(), allOfB.share(), Double.NaN, Double.NaN, Verdict.TOO_FEW);
        }
        double difference = allOfB.share() - allOfA.share();
        double half = Student.halfWidth(confidence, units - 1) * Math.hypot(error(a, allOfA), error(b, allOfB));
        double each = 1 - (1 - confidence) / 2;
        BinomialInterval countsOfA = allOfA.interval(each);
        BinomialInterval countsOfB = allOfB.interval(each);
        double low = Math.min(difference - half, countsOfB.low() - countsOfA.high());
        double high = Math.max(difference + half, countsOfB.high() - countsOfA.low());
        return new FailureDifference(allOfA.share(), allOfB.share(), low, high, verdict(low, high));
    }

    private static double error(List<Unit> units, Unit all) {
        double squares = 0;
        for (Unit unit : units) {
            double beyond = unit.failed() - all.share() * unit.due();
            squares += beyond * beyond;
        }
        int n = units.size();
        return Math.sqrt(squares * n / (n - 1)) / Math.max(1, all.due());
    }

    private static Verdict verdict(double low, double high) {
        if (low > 0) {
            return Verdict.WORSE;
        }
        if (high < 0) {
            return Verdict.BETTER;
        }
        return Math.max(high, -low) < MARGIN ? Verdict.SAME : Verdict.UNDERPOWERED;
    }

    /// True if requests failed and a relevant difference may have gone undetected.
    public boolean isOpen() {
        return a + b > 0 && (verdict == Verdict.UNDERPOWERED || verdict == Verdict.TOO_FEW);
    }
}
