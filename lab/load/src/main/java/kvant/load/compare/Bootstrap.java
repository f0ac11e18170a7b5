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
    private final long[][] counts;

    public Bootstrap(List<Histogram> units) {
        TreeSet<Long> distinct = new TreeSet<>();
        for (Histogram unit : units) {
            for (HistogramIterationValue value : unit.recordedValues()) {
                distinct.add(value.getValueIteratedTo());
            }
        }
        values = distinct.stream().mapToLong(Long::longValue).toArray();
        counts = new long[units.size()][values.length];
        for (int unit = 0; unit < counts.length; unit++) {
            for (HistogramIterationValue value : units.get(unit).recordedValues()) {
                int at = Arrays.binarySearch(values, value.getValueIteratedTo());
                counts[unit][at] += value.getCountAtValueIteratedTo();
            }
        }
    }

    /// The figures of the units as they are.
    double[] figures(double[] percentiles) {
        long[] sum = new long[values.length];
        for (long[] unit : counts) {
            add(sum, unit);
        }
        return figures(sum, percentiles);
    }

    /// The figures of each draw.
    public double[][] draws(double[] percentiles, SplitMix64 random) {
        double[][] drawn = new double[DRAWS][];
        long[] sum = new long[values.length];
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.fill(sum, 0);
            for (int i = 0; i < counts.length; i++) {
                add(sum, counts[(int) random.below(counts.length)]);
            }
            drawn[draw] = figures(sum, percentiles);
        }
        return drawn;
    }

    private static void add(long[] sum, long[] unit) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += unit[i];
        }
    }

    /// The mean, and then the percentiles, which ascend.
    private double[] figures(long[] sum, double[] percentiles) {
        double[] figures = new double[percentiles.length + 1];
        long total = 0;
        double weighted = 0;
        for (int i = 0; i < sum.length; i++) {
            total += sum[i];
            weighted += (double) sum[i] * values[i];
        }
        figures[0] = weighted / Math.max(1, total);
        long seen = 0;
        int next = 0;
        for (int i = 0; i < sum.length && next < percentiles.length; i++) {
            seen += sum[i];
            while (next < percentiles.length && seen >= percentiles[next] / 100 * total) {
                figures[++next] = values[i];
            }
        }
        return figures;
    }
}
