package kvant.load.compare;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import kvant.load.keys.SplitMix64;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The bootstrap distribution of a figure of one side (Efron, 1979): units are drawn with replacement, added up, and
/// the figure is computed, many times. A unit is a stretch of time, so that correlated requests, of a stall for
/// example, stay together.
public final class Bootstrap {

    static final int DRAWS = 1000;

    private final long[] values;
    /// For each unit the cumulative count up to each value: the percentile of a draw is found by binary search.
    private final long[][] atMost;
    private final double[] sums;

    public Bootstrap(List<Histogram> units) {
        TreeSet<Long> distinct = new TreeSet<>();
        for (Histogram unit : units) {
            for (HistogramIterationValue value : unit.recordedValues()) {
                distinct.add(value.getValueIteratedTo());
            }
        }
        values = distinct.stream().mapToLong(Long::longValue).toArray();
        atMost = new long[units.size()][values.length];
        sums = new double[units.size()];
        for (int unit = 0; unit < sums.length; unit++) {
            for (HistogramIterationValue value : units.get(unit).recordedValues()) {
                int at = Arrays.binarySearch(values, value.getValueIteratedTo());
                atMost[unit][at] += value.getCountAtValueIteratedTo();
                sums[unit] += (double) value.getCountAtValueIteratedTo() * values[at];
            }
            for (int i = 1; i < values.length; i++) {
                atMost[unit][i] += atMost[unit][i - 1];
            }
        }
    }

    /// The figures of the original units.
    double[] figures(double[] percentiles) {
        int[] once = new int[sums.length];
        Arrays.fill(once, 1);
        return figures(once, percentiles);
    }

    /// The figures of each bootstrap draw.
    public double[][] draws(double[] percentiles, SplitMix64 random) {
        double[][] drawn = new double[DRAWS][];
        int[] times = new int[sums.length];
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.fill(times, 0);
            for (int i = 0; i < times.length; i++) {
                times[(int) random.below(times.length)]++;
            }
            drawn[draw] = figures(times, percentiles);
        }
        return drawn;
    }

    /// The mean, followed by the percentiles, of units with these multiplicities.
    private double[] figures(int[] times, double[] percentiles) {
        double[] figures = new double[percentiles.length + 1];
        if (values.length == 0) {
            return figures;
        }
        double weighted = 0;
        for (int unit = 0; unit < times.length; unit++) {
            weighted += times[unit] * sums[unit];
        }
        long total = countAtMost(values.length - 1, times);
        figures[0] = weighted / Math.max(1, total);
        for (int i = 0; i < percentiles.length; i++) {
            figures[i + 1] = values[lowest(percentiles[i] / 100 * total, times)];
        }
        return figures;
    }

    private int lowest(double count, int[] times) {
        int low = 0;
        int high = values.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (countAtMost(middle, times) >= count) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private long countAtMost(int value, int[] times) {
        long count = 0;
        for (int unit = 0; unit < times.length; unit++) {
            count += times[unit] * atMost[unit][value];
        }
        return count;
    }
}
