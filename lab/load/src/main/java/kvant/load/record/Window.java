package kvant.load.record;

import java.util.List;
import java.util.stream.IntStream;
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

    /// In the order of [#COLUMNS].
    private long[] cells() {
        return new long[] {
            fromNanos,
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
            stolenNanos
        };
    }

    private static Window of(long[] c) {
        return new Window(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12]);
    }

    /// The same window, shifted to a timeline on which its phase starts later.
    Window later(long nanos) {
        long[] cells = cells();
        cells[0] += nanos;
        return of(cells);
    }

    /// The row in a file. Percentiles of no requests are NaN, and so is a lag of 0: nothing was sent, or there is no
    /// schedule.
    public List<Double> row() {
        long[] cells = cells();
        return IntStream.range(0, cells.length)
                .mapToObj(column -> isUnknown(column) ? Double.NaN : (double) cells[column])
                .toList();
    }

    private boolean isUnknown(int column) {
        return switch (column) {
            case 4, 5, 6, 7, 8 -> completed == 0;
            case 9 -> answered == 0;
            case 10 -> lagP99Nanos == 0;
            default -> false;
        };
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
        cells[11] = places[11] < 0 ? cells[2] : cells[11]; // files older than this column
        return of(cells);
    }

    /// Answers per second. Abandoned requests were not served and do not count as throughput.
    public double rate() {
        return lengthNanos > 0 ? answered * 1e9 / lengthNanos : 0;
    }
}
