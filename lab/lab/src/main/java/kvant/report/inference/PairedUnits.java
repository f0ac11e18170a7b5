package kvant.report.inference;

import java.util.Arrays;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule.Design;

/// Paired differences of B from A, one value per judged unit: the logarithm of a ratio, or a difference.
///
/// A unit is a block: two consecutive rounds with mirrored order of the variants (A B, B A), so that a steady change
/// cancels out of the mean of their two values. With few blocks each round is a unit, as it is in an interleaved run,
/// where each round has both orders.
///
/// A ratio is *disturbed*, an outlier, when it is more than [#SIGMAS] robust standard deviations (1.4826 times the
/// median absolute deviation) from the median. From [#LEAST_TO_LEAVE_OUT] units on outliers are excluded and counted;
/// if they would be more than a fifth, the spread is typical of this machine, and none is excluded. The rule depends on
/// the ratios only, and is symmetric. With fewer units the median absolute deviation is too uncertain: normal units
/// would be excluded, and intervals would be too narrow.
///
/// @param values of the judged units
/// @param rounds per unit: 2 for blocks, otherwise 1
/// @param kept last round of each judged unit
/// @param ends last round of each unit, including excluded ones
/// @param finest smallest spread that values can show
public record PairedUnits(double[] values, int rounds, int[] kept, int[] ends, double finest) {

    static final double SIGMAS = 6;
    static final int LEAST_TO_LEAVE_OUT = 12;
    private static final double MOST_LEFT_OUT = 0.2;

    /// Ratio of the median absolute deviation to the standard deviation for normal values.
    private static final double MAD_OF_NORMAL = 1 / 1.4826;

    /// Rounding error of histograms, as a share: a closer agreement of rounds is due to rounding.
    private static final double ROUNDING = 0.001;

    /// @param repeats number of each round, from 1
    /// @param logs B relative to A, of each round
    public static PairedUnits ofRatios(int[] repeats, double[] logs, Design design) {
        PairedUnits all = ofAllRatios(repeats, logs, design);
        int[] kept = withoutDisturbed(all.values);
        return new PairedUnits(
                Arrays.stream(kept).mapToDouble(unit -> all.values[unit]).toArray(),
                all.rounds,
                Arrays.stream(kept).map(unit -> all.ends[unit]).toArray(),
                all.ends,
                ROUNDING);
    }

    /// The same, including disturbed units.
    public static PairedUnits ofAllRatios(int[] repeats, double[] logs, Design design) {
        return of(repeats, logs, design, ROUNDING);
    }

    /// Units of counts, which are exact. None is excluded: rare events come in bursts, and a burst is the finding.
    ///
    /// @param differences B minus A, of each round
    public static PairedUnits ofDifferences(int[] repeats, double[] differences, Design design) {
        return of(repeats, differences, design, 0);
    }

    /// Units of single rounds.
    public static PairedUnits ofEach(double[] logs) {
        int[] ends = IntStream.rangeClosed(1, logs.length).toArray();
        return new PairedUnits(logs, 1, ends, ends, ROUNDING);
    }

    private static PairedUnits of(int[] repeats, double[] values, Design design, double finest) {
        int[] second = IntStream.range(1, repeats.length) // a block with a single round is skipped
                .filter(i -> block(repeats[i]) == block(repeats[i - 1]))
                .toArray();
        if (!design.isJudgedByBlocks(second.length)) {
            return new PairedUnits(values, 1, repeats, repeats, finest);
        }
        double[] blocks = Arrays.stream(second)
                .mapToDouble(i -> (values[i - 1] + values[i]) / 2)
                .toArray();
        int[] ends = Arrays.stream(second).map(i -> repeats[i]).toArray();
        return new PairedUnits(blocks, 2, ends, ends, finest);
    }

    /// The block of a round: rounds 1 and 2 are the first, 3 and 4 the second, and so on.
    ///
    /// @param round from 1
    public static int block(int round) {
        return (round + 1) / 2;
    }

    private static int[] withoutDisturbed(double[] units) {
        int[] all = IntStream.range(0, units.length).toArray();
        if (units.length < LEAST_TO_LEAVE_OUT) {
            return all;
        }
        double median = median(units);
        double mad =
                median(Arrays.stream(units).map(unit -> Math.abs(unit - median)).toArray());
        double reach = SIGMAS * Math.max(mad / MAD_OF_NORMAL, ROUNDING);
        int[] kept = Arrays.stream(all)
                .filter(unit -> Math.abs(units[unit] - median) <= reach)
                .toArray();
        return units.length - kept.length > MOST_LEFT_OUT * units.length ? all : kept;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    public double mean() {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /// Standard deviation of the units.
    public double spread() {
        double mean = mean();
        double sum =
                Arrays.stream(values).map(one -> (one - mean) * (one - mean)).sum();
        return values.length < 2 ? finest : Math.max(finest, Math.sqrt(sum / (values.length - 1)));
    }

    /// True if a round is part of a judged unit: not excluded, and not a single round of a block.
    public boolean isJudged(int round) {
        return Arrays.stream(kept).anyMatch(end -> rounds == 1 ? end == round : block(end) == block(round));
    }

    /// Number of excluded units.
    public int disturbed() {
        return ends.length - values.length;
    }

    /// Half-width of the interval of the mean; NaN with too few units.
    public double half(Schedule schedule, double confidence) {
        return schedule.halfWidth(confidence, values.length, ends) * spread() / Math.sqrt(values.length);
    }
}
