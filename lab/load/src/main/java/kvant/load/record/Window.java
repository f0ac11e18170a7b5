package kvant.load.record;

import java.util.List;
import org.HdrHistogram.Histogram;

/// The figures of a stretch of time, by completion time.
///
/// @param fromNanos since the start of the phase
/// @param completed requests that were answered or abandoned; if there are none, percentiles are 0
/// @param errors of those, without the wanted result
/// @param answered of those, answered with any status code
/// @param stolenNanos processor time stolen by the host of this virtual machine, of all processors together
public record Window(
        long fromNanos,
        long lengthNanos,
        long completed,
        long errors,
        long p50Nanos,
        long p90Nanos,
        long p99Nanos,
        long p999Nanos,
        long maxNanos,
        long serviceP99Nanos,
        long lagP99Nanos,
        long answered,
        long stolenNanos) {

    /// The columns of a row in a file.
    public static final List<String> COLUMNS = List.of("""
            fromNanos lengthNanos completed errors p50Nanos p90Nanos p99Nanos p99.9Nanos maxNanos serviceP99Nanos \
            sendLagP99Nanos answered stolenNanos""".split(" "));

    private static final int MOST_READ = 100_000;

    Window(
            long fromNanos,
            long lengthNanos,
            long errors,
            long answered,
            long stolenNanos,
            Histogram response,
            Histogram service,
            Histogram lag) {
        this(
                fromNanos,
                lengthNanos,
                response.getTotalCount(),
                errors,
                response.getValueAtPercentile(50),
                response.getValueAtPercentile(90),
                response.getValueAtPercentile(99),
                response.getValueAtPercentile(99.9),
                response.getMaxValue(),
                service.getValueAtPercentile(99),
                lag.getValueAtPercentile(99),
                answered,
                stolenNanos);
    }

    /// The same window, shifted to a timeline on which its phase starts later.
    Window later(long nanos) {
        return new Window(
                fromNanos + nanos,
                lengthNanos,
                completed,
                errors,
                p50Nanos,
                p90Nanos,
                p99Nanos,
                p999Nanos,
                maxNanos,
                serviceP99Nanos,
                lagP99Nanos,
                answered,
                stolenNanos);
    }

    /// The row in a file. Percentiles of no requests are NaN, and so is a lag of 0: nothing was sent, or there is no
    /// schedule.
    public List<Double> row() {
        double none = completed == 0 ? Double.NaN : 0;
        return List.of(
                (double) fromNanos,
                (double) lengthNanos,
                (double) completed,
                (double) errors,
                none + p50Nanos,
                none + p90Nanos,
                none + p99Nanos,
                none + p999Nanos,
                none + maxNanos,
                answered == 0 ? Double.NaN : serviceP99Nanos,
                lagP99Nanos == 0 ? Double.NaN : lagP99Nanos,
                (double) answered,
                (double) stolenNanos);
    }

    /// Reads rows of a file by their column names; missing columns are 0.
    public static List<Window> of(List<String> columns, List<List<Double>> rows) {
        int[] places = COLUMNS.stream().mapToInt(columns::indexOf).toArray();
        return rows.stream().limit(MOST_READ).map(row -> of(row, places)).toList();
    }

    private static Window of(List<Double> row, int[] places) {
        long[] cells = new long[places.length];
        for (int i = 0; i < cells.length; i++) {
            boolean there = places[i] >= 0 && places[i] < row.size();
            cells[i] = there ? row.get(places[i]).longValue() : 0;
        }
        long answered = places[11] < 0 ? cells[2] : cells[11]; // files older than this column
        return new Window(
                cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9],
                cells[10], answered, cells[12]);
    }

    /// Answers per second. Abandoned requests were not served and do not count as throughput.
    public double rate() {
        return lengthNanos > 0 ? answered * 1e9 / lengthNanos : 0;
    }
}
