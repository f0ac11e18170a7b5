package kvant.report.verdict;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import kvant.load.compare.Bootstrap;
import kvant.load.compare.Student;
import kvant.load.keys.SplitMix64;
import kvant.report.inference.PairedUnits;
import kvant.report.inference.Schedule;
import org.HdrHistogram.Histogram;

/// The relative change of a figure from A to B, with its confidence interval.
///
/// Rounds are paired: a disturbance of the machine that lasts a minute affects A and B of the same round alike, and
/// cancels out of their ratio. The interval is that of the mean of the logarithms of these ratios, see [PairedUnits]
/// and [Schedule]. Fewer than three rounds are not enough to estimate their variation. The interval is then a bootstrap
/// over stretches of time within them, and is marked as such.
///
/// @param a geometric mean over the judged rounds, so that b is a and the change
/// @param change B relative to A, minus 1
/// @param low lower end of the interval of the change, NaN with too few data
/// @param judgedRounds those of the units that were not excluded; all of them if no unit is complete
/// @param unit source of variation for the uncertainty
/// @param disturbed number of excluded units
public record Estimate(
        double a,
        double b,
        double change,
        double low,
        double high,
        int rounds,
        int judgedRounds,
        Unit unit,
        int disturbed) {

    /// The unit of variation behind an interval.
    public enum Unit {
        ROUND,
        /// A block: two rounds, the second in reverse order.
        BLOCK,
        /// A stretch of time within a round.
        STRETCH
    }

    /// Minimum number of stretches of a run, when there are few rounds.
    static final int LEAST_BLOCKS = 5;

    /// Changes below this share are within the error of the tool.
    static final double RESOLUTION = 0.005;

    /// Rounding error of histograms, as a share: a closer agreement of rounds is due to rounding.
    private static final double ROUNDING = 0.001;

    private static final long SEED = 21;

    /// From paired rounds.
    ///
    /// @param repeats number of each round, from 1
    public static Estimate ofRounds(int[] repeats, double[] a, double[] b, Schedule schedule, double confidence) {
        return of(PairedUnits.ofRatios(repeats, logs(a, b), schedule.design()), repeats, a, b, schedule, confidence);
    }

    /// The same, including units excluded as outliers.
    static Estimate ofAllRounds(int[] repeats, double[] a, double[] b, Schedule schedule, double confidence) {
        return of(PairedUnits.ofAllRatios(repeats, logs(a, b), schedule.design()), repeats, a, b, schedule, confidence);
    }

    private static Estimate of(
            PairedUnits ratios, int[] repeats, double[] a, double[] b, Schedule schedule, double confidence) {
        double middle = ratios.mean();
        double half = ratios.half(schedule, confidence);
        int[] all = IntStream.range(0, repeats.length).toArray();
        int[] kept = Arrays.stream(all).filter(i -> ratios.isJudged(repeats[i])).toArray();
        int[] judged = kept.length == 0 ? all : kept;
        return new Estimate(
                geometricMean(Arrays.stream(judged).mapToDouble(i -> a[i]).toArray()),
                geometricMean(Arrays.stream(judged).mapToDouble(i -> b[i]).toArray()),
                Math.expm1(middle),
                Math.expm1(middle - half),
                Math.expm1(middle + half),
                a.length,
                judged.length,
                ratios.rounds() == 1 ? Unit.ROUND : Unit.BLOCK,
                ratios.disturbed());
    }

    /// From stretches of time within one or two rounds.
    ///
    /// @param blocksA of each round
    static Estimate ofBlocks(
            Metric metric,
            double[] a,
            double[] b,
            List<List<Histogram>> blocksA,
            List<List<Histogram>> blocksB,
            double confidence) {
        int rounds = a.length;
        int least = Integer.MAX_VALUE;
        double sum = 0;
        for (int round = 0; round < rounds; round++) {
            least = Math.min(
                    least,
                    Math.min(blocksA.get(round).size(), blocksB.get(round).size()));
            sum += square(error(metric, blocksA.get(round), 2 * round))
                    + square(error(metric, blocksB.get(round), 2 * round + 1));
        }
        double within = Math.max(Math.sqrt(sum) / rounds, ROUNDING);
        double half = least < LEAST_BLOCKS ? Double.NaN : Student.halfWidth(confidence, least - 1) * within;
        double between = rounds < 2 // very uncertain with two rounds: one degree of freedom
                ? 0
                : Student.halfWidth(confidence, rounds - 1) * Math.sqrt(variance(logs(a, b)) / rounds);
        half = Math.max(half, between);
        double log = mean(logs(a, b));
        return new Estimate(
                geometricMean(a),
                geometricMean(b),
                Math.expm1(log),
                Math.expm1(log - half),
                Math.expm1(log + half),
                rounds,
                rounds,
                Unit.STRETCH,
                0);
    }

    /// Standard error of the logarithm of a figure, from bootstrap draws of stretches. The variance of draws from n
    /// stretches is too small by (n - 1) / n.
    private static double error(Metric metric, List<Histogram> blocks, int stream) {
        if (blocks.size() < 2) {
            return 0;
        }
        boolean mean = metric.kind() == Metric.Kind.MEAN;
        double[][] draws = new Bootstrap(blocks)
                .draws(mean ? new double[0] : new double[] {metric.percentile()}, SplitMix64.of(SEED, stream));
        double[] logs = Arrays.stream(draws)
                .mapToDouble(draw -> Math.log(Math.max(1, draw[mean ? 0 : 1])))
                .toArray();
        return Math.sqrt(variance(logs) * blocks.size() / (blocks.size() - 1));
    }

    /// The same, with the interval extended to include that of another estimate.
    Estimate spanning(Estimate other) {
        return within(Math.min(low, other.low), Math.max(high, other.high));
    }

    /// The limit for a large number of rounds, in which their variation no longer matters.
    Estimate withoutSpread() {
        return within(change, change);
    }

    private Estimate within(double otherLow, double otherHigh) {
        return new Estimate(a, b, change, otherLow, otherHigh, rounds, judgedRounds, unit, disturbed);
    }

    /// The sign of a significant change: -1 if B has less, 1 if it has more, 0 if the interval includes no change.
    public int direction() {
        if (low > RESOLUTION) {
            return 1;
        }
        return high < -RESOLUTION ? -1 : 0;
    }

    /// True if a relevant difference is ruled out.
    ///
    /// @param margin a share
    public boolean isWithin(double margin) {
        return isTold() && hidden() < 1 + margin;
    }

    /// The largest factor, in either direction, by which B may differ from A.
    public double hidden() {
        return Math.max(1 + high, 1 / (1 + low));
    }

    public boolean isTold() {
        return Double.isFinite(low) && Double.isFinite(high);
    }

    private static double[] logs(double[] a, double[] b) {
        double[] logs = new double[a.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = Math.log(b[i] / a[i]);
        }
        return logs;
    }

    static double geometricMean(double[] values) {
        return Math.exp(mean(Arrays.stream(values).map(Math::log).toArray()));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return values.length < 2
                ? 0
                : Arrays.stream(values).map(value -> square(value - mean)).sum() / (values.length - 1);
    }

    private static double square(double value) {
        return value * value;
    }
}
