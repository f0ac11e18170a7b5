package kvant.bench.process;

import java.util.List;
import java.util.Locale;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.RunResult;
import org.HdrHistogram.Histogram;

/// The result of a load, in the form of the tables.
public record LoadMeasurement(RunResult result) {

    private static final int REFUSED = 503;
    private static final double NANOS_PER_MILLI = 1e6;

    /// Failures that must not occur under any load.
    private static final List<Failure> BREAKS =
            List.of(Failure.CLOSED, Failure.RESET, Failure.TIMEOUT, Failure.GARBAGE);

    public RequestCounts counts() {
        return result.counts();
    }

    public long refused() {
        return counts().statusCount(REFUSED);
    }

    /// Number of connections closed or reset during a request, timeouts, and invalid answers.
    public long broken() {
        return BREAKS.stream().mapToLong(counts()::failedCount).sum();
    }

    /// Number of answers that are neither successful nor a refusal.
    public long other() {
        return counts().of(Count.UNEXPECTED) - refused() + counts().of(Count.WRONG_BODIES);
    }

    /// NaN if nothing was counted.
    ///
    /// @param percentile 100 is the maximum
    public static double millis(Histogram histogram, double percentile) {
        return histogram.getTotalCount() == 0
                ? Double.NaN
                : histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /// States whether the generator was the bottleneck, and its utilisation.
    public String generator() {
        String grade = result.validity().grade().name().toLowerCase(Locale.ROOT);
        return String.format(Locale.ROOT, "%s, %.0f %% busy", grade, 100 * result.busy());
    }
}
