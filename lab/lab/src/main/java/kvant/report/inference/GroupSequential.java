package kvant.report.inference;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import kvant.load.compare.Student;

/// The price of looking at a mean while its values still come in. Whoever looks again and again and stops when he likes
/// what he sees is wrong more often than one interval says. A group sequential test divides the error of the whole run
/// among its looks, so that the intervals of all looks hold the truth together (repeated confidence intervals,
/// [Jennison and Turnbull, 1989](https://doi.org/10.1111/j.2517-6161.1989.tb01441.x)).
///
/// What has been spent of the error `α` by a share `t` of the time that the run may take is `α·t²` ([Lan and DeMets,
/// 1983](https://doi.org/10.1093/biomet/70.3.659); the power family of [Kim and DeMets,
/// 1987](https://doi.org/10.1093/biomet/74.1.149)). A look has what has been spent by then and no look before
/// has used, of runs whose means lay in the intervals of all of those.
///
/// Values are normal and their spread is not known. Where they are means of zero, Student's t does not depend on the
/// spread, so that the limits are counted: of runs of standard normal values that are drawn, always the same ones.
/// Taking the limits of a known spread at Student's levels instead, as is usual, has an error of 5.6 to 5.8 % where 5 %
/// are meant, of 8 to 40 values.
final class GroupSequential {

    private static final int RUNS = 100_000;

    private static final long SEED = 39;

    /// Of fewer runs beyond a limit it cannot be told where the limit is.
    private static final int LEAST_BEYOND = 100;

    private static final int KEPT = 1024;

    /// Looks that were asked for; a run asks for the same ones again and again.
    private static final Map<List<Object>, Double> KNOWN = new LinkedHashMap<>(KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Object>, Double> eldest) {
            return size() > KEPT;
        }
    };

    private final double error;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final double[] sums = new double[RUNS];
    private final double[] squares = new double[RUNS];
    private int inside = RUNS; // the first so many are still within all intervals

    private GroupSequential(double confidence) {
        this.error = 1 - confidence;
    }

    /// How many standard errors hold a mean at the last look, so that all looks together hold it with this confidence.
    ///
    /// @param values how many there were at each look, at least two, and more at each
    /// @param spent share of the time at each look, from 0 to 1, never less than before
    static double halfWidth(double confidence, int[] values, double[] spent) {
        List<Object> key = List.of(confidence, Arrays.toString(values), Arrays.toString(spent));
        synchronized (KNOWN) {
            return KNOWN.computeIfAbsent(key, _ -> new GroupSequential(confidence).counted(values, spent));
        }
    }

    private double counted(int[] values, double[] spent) {
        double limit = Double.NaN;
        for (int look = 0; look < values.length; look++) {
            int before = look == 0 ? 0 : values[look - 1];
            double spentBefore = look == 0 ? 0 : spent[look - 1];
            double[] farOff = draw(values[look] - before, values[look]);
            limit = limit(error * spent[look] * spent[look], error * spentBefore * spentBefore, farOff, values[look]);
            end(limit, farOff);
        }
        return limit;
    }

    /// Goes on with the runs that have not ended.
    ///
    /// @return how many standard errors the mean of each is off
    private double[] draw(int more, int values) {
        double[] farOff = new double[inside];
        for (int run = 0; run < inside; run++) {
            for (int i = 0; i < more; i++) {
                double value = random.nextGaussian();
                sums[run] += value;
                squares[run] += value * value;
            }
            double mean = sums[run] / values;
            double variance = (squares[run] - values * mean * mean) / (values - 1);
            farOff[run] = Math.abs(mean) / Math.sqrt(variance / values);
        }
        return farOff;
    }

    /// The limit that ends as many runs as may have ended by now. Where they are too few to count, it is that
    /// of a single look, which is never too narrow, and what it leaves over is the next one's.
    ///
    /// @param due of the error, by now
    /// @param before by the look before
    private double limit(double due, double before, double[] farOff, int values) {
        int beyond = (int) (due * RUNS) - (RUNS - inside);
        if (inside == RUNS || beyond < LEAST_BEYOND) {
            double own = inside == RUNS ? due : due - before;
            return own > 0 ? Student.halfWidth(1 - own, values - 1) : Double.POSITIVE_INFINITY;
        }
        double[] sorted = farOff.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, sorted.length - beyond)];
    }

    private void end(double limit, double[] farOff) {
        int kept = 0;
        for (int run = 0; run < inside; run++) {
            if (farOff[run] <= limit) {
                sums[kept] = sums[run];
                squares[kept++] = squares[run];
            }
        }
        inside = kept;
    }
}
