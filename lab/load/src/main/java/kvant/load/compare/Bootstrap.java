package kvant.load.compare;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import kvant.load.random.SplitMix64;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// How far a figure of one side would move if the run were repeated: units are drawn with replacement, added up, and
/// the figure taken, many times (Efron, 1979). Units are stretches of time, so that what belongs together in time, a
/// stall for example, stays together.
public final class Bootstrap {

    static final int DRAWS = 1000;

    private final long[] values;
    /// How many of each unit are at most each value: a percentile of a draw is looked for by halves.
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

    /// The figures of the units as they are.
    double[] figures(double[] percentiles) {
        int[] once = new int[sums.length];
        Arrays.fill(once, 1);
        return figures(once, percentiles);
    }

    /// The figures of each draw.
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

    /// The mean, and then the percentiles, of units that count so many times.
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
