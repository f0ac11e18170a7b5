package kvant.report.inference;

import java.util.Arrays;
import java.util.stream.IntStream;

/// What B differs by from A, one value for each unit that is judged: the logarithm of a ratio, or a difference.
///
/// A unit is a block: two rounds that follow each other, in which the order of the variants is mirrored (A
/// B, B A), so that what changes steadily meanwhile drops out of the mean of their two values. Where blocks
/// are few, each round is a unit; and in an interleaved run, where each round has both orders.
///
/// A ratio is *disturbed* when it lies more than [#SIGMAS] robust standard deviations (1.4826 times the
/// median absolute deviation) from the median of all. From [#LEAST_TO_LEAVE_OUT] units on such units are
/// left out and counted; where that would be more than a fifth of them, it is the spread of this machine,
/// and none is. The rule looks at the ratios alone, and treats both directions alike. Of fewer units the
/// median absolute deviation says too little: it would leave out units that are as they should be, and
/// intervals would be too narrow.
///
/// @param values of the units that are judged
/// @param rounds in each unit: 2 for blocks, else 1
/// @param kept the last round of each unit that is judged
/// @param ends the same, of those that were left out too
/// @param finest spread that values can show
public record PairedUnits(double[] values, int rounds, int[] kept, int[] ends, double finest) {

    static final double SIGMAS = 6;
    static final int LEAST_TO_LEAVE_OUT = 12;
    private static final double MOST_LEFT_OUT = 0.2;

    /// The median absolute deviation of normal values, to their standard deviation.
    private static final double MAD_OF_NORMAL = 1 / 1.4826;

    /// Histograms round to so much of a value: rounds that agree better than this agree by rounding.
    private static final double ROUNDING = 0.001;

    /// @param repeats the number of each round, from 1
    /// @param logs of B to A, of each round
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

    /// The same with those that are disturbed.
    public static PairedUnits ofAllRatios(int[] repeats, double[] logs, Design design) {
        return of(repeats, logs, design, ROUNDING);
    }

    /// Of counts, which are exact: none is left out, because what is rare comes in bursts, and a burst is the finding.
    ///
    /// @param differences of B to A, of each round
    public static PairedUnits ofDifferences(int[] repeats, double[] differences, Design design) {
        return of(repeats, differences, design, 0);
    }

    /// Of rounds one by one.
    public static PairedUnits ofEach(double[] logs) {
        int[] ends = IntStream.rangeClosed(1, logs.length).toArray();
        return new PairedUnits(logs, 1, ends, ends, ROUNDING);
    }

    private static PairedUnits of(int[] repeats, double[] values, Design design, double finest) {
        int[] second = secondOfBlocks(repeats);
        if (!design.isJudgedByBlocks(second.length)) {
            return new PairedUnits(values, 1, repeats, repeats, finest);
        }
        double[] blocks = Arrays.stream(second)
                .mapToDouble(i -> (values[i - 1] + values[i]) / 2)
                .toArray();
        int[] ends = Arrays.stream(second).map(i -> repeats[i]).toArray();
        return new PairedUnits(blocks, 2, ends, ends, finest);
    }

    /// Rounds 1 and 2 are the first block, 3 and 4 the second, and so on.
    ///
    /// @param round from 1
    public static int block(int round) {
        return (round + 1) / 2;
    }

    /// Where the second rounds of blocks are. A block with a single round is none.
    private static int[] secondOfBlocks(int[] repeats) {
        return IntStream.range(1, repeats.length)
                .filter(i -> block(repeats[i]) == block(repeats[i - 1]))
                .toArray();
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

    /// Whether a round is part of a unit that is judged: it was not left out, and is no odd one of a block.
    public boolean isJudged(int round) {
        return Arrays.stream(kept).anyMatch(end -> rounds == 1 ? end == round : block(end) == block(round));
    }

    /// Units that were left out.
    public int disturbed() {
        return ends.length - values.length;
    }

    /// Half of the interval of the mean; NaN where there are too few units.
    public double half(Schedule schedule, double confidence) {
        return schedule.halfWidth(confidence, values.length, ends) * spread() / Math.sqrt(values.length);
    }
}
