package kvant.report.verdict;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import kvant.load.compare.Bootstrap;
import kvant.load.compare.Student;
import kvant.load.random.SplitMix64;
import kvant.report.inference.PairedUnits;
import kvant.report.inference.Schedule;
import org.HdrHistogram.Histogram;

/// How much larger a figure of B is than that of A, and how sure that is.
///
/// Rounds are pairs: what disturbs the machine for a minute disturbs A and B of the same round alike, and
/// drops out of their ratio. The interval is that of the mean of the logarithms of these ratios, see
/// [PairedUnits] and [Schedule]. Fewer than three rounds cannot say how much rounds differ. Then the interval
/// comes from stretches of time within them, drawn with replacement, and is marked as such.
///
/// @param a geometric mean over the rounds that are judged, so that b is a and the change
/// @param change of B to A, less 1
/// @param low lower end of the interval of the change, NaN where there is too little to tell
/// @param judgedRounds those of the units that were not left out; all of them where no unit is whole
/// @param unit what differs from one to the next, which is the uncertainty
/// @param disturbed units that were left out
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

    /// What an interval rests on.
    public enum Unit {
        ROUND,
        /// Two rounds, the second in the opposite order.
        BLOCK,
        /// A stretch of time within a round.
        STRETCH
    }

    /// Stretches of a run that are needed where rounds are few.
    static final int LEAST_BLOCKS = 5;

    /// Changes below that are below the error of the tool.
    static final double RESOLUTION = 0.005;

    /// Histograms round to so much of a value: rounds that agree better than this agree by rounding.
    private static final double ROUNDING = 0.001;

    private static final long SEED = 21;

    /// From rounds that are pairs.
    ///
    /// @param repeats the number of each round, from 1
    public static Estimate ofRounds(int[] repeats, double[] a, double[] b, Schedule schedule, double confidence) {
        return of(PairedUnits.ofRatios(repeats, logs(a, b), schedule.design()), repeats, a, b, schedule, confidence);
    }

    /// The same with units that are left out because they lie far from the others.
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
        return ofStretches(a, b, Math.max(half, halfBetween(a, b, confidence)));
    }

    /// By how much the rounds differ, which two of them hardly know: they have one degree of freedom.
    private static double halfBetween(double[] a, double[] b, double confidence) {
        int rounds = a.length;
        return rounds < 2 ? 0 : Student.halfWidth(confidence, rounds - 1) * Math.sqrt(variance(logs(a, b)) / rounds);
    }

    private static Estimate ofStretches(double[] a, double[] b, double half) {
        double log = mean(logs(a, b));
        return new Estimate(
                geometricMean(a),
                geometricMean(b),
                Math.expm1(log),
                Math.expm1(log - half),
                Math.expm1(log + half),
                a.length,
                a.length,
                Unit.STRETCH,
                0);
    }

    /// Standard error of the logarithm of a figure, from draws of stretches. Draws from n stretches
    /// spread by a factor of (n - 1) / n too little.
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

    /// With an interval that has all of another one's in it too.
    Estimate spanning(Estimate other) {
        return within(Math.min(low, other.low), Math.max(high, other.high));
    }

    /// As if there were so many rounds that how much they differ did not matter.
    Estimate withoutSpread() {
        return within(change, change);
    }

    private Estimate within(double otherLow, double otherHigh) {
        return new Estimate(a, b, change, otherLow, otherHigh, rounds, judgedRounds, unit, disturbed);
    }

    /// Whether the interval leaves "no difference" out: -1 where B has less, 1 where it has more.
    public int direction() {
        if (low > RESOLUTION) {
            return 1;
        }
        return high < -RESOLUTION ? -1 : 0;
    }

    /// Whether a difference that matters is ruled out.
    ///
    /// @param margin a share
    public boolean isWithin(double margin) {
        return isTold() && hidden() < 1 + margin;
    }

    /// The largest factor, either way, by which B may differ from A.
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
