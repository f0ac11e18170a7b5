package kvant.lab.result;

import java.util.Arrays;
import java.util.List;

/// The activity of a served process during the measured time of a step: `samples.json`.
///
/// @param originEpochNanos start of the measured time
/// @param columns of a row of `samples`
public record SamplesRecord(
        long originEpochNanos, List<String> columns, List<List<Double>> samples, List<Event> events) {

    private static final List<String> COLUMNS =
            List.of("fromNanos", "cpuNanos", "rssBytes", "readBytes", "writtenBytes");

    public static final SamplesRecord NONE = of(0, List.of(), List.of());
    private static final int MOST_READ = 100_000;

    /// @param cpuNanos cumulative, like `readBytes` and `writtenBytes`
    public record Sample(double fromNanos, double cpuNanos, double rssBytes, double readBytes, double writtenBytes) {

        private List<Double> row() {
            return List.of(fromNanos, cpuNanos, rssBytes, readBytes, writtenBytes);
        }
    }

    /// An activity of the process other than answering.
    ///
    /// @param kind `gc`, `safepoint`, `flush`, `compaction` or `stall`
    /// @param fromNanos since the start of the measured time; negative if it began earlier
    public record Event(String kind, long fromNanos, long toNanos, String detail) {

        public Event {
            toNanos = Math.max(fromNanos, toNanos);
        }
    }

    public static SamplesRecord of(long originEpochNanos, List<Sample> samples, List<Event> events) {
        return new SamplesRecord(
                originEpochNanos, COLUMNS, samples.stream().map(Sample::row).toList(), events);
    }

    /// The rows by column name; NaN if there is no such column.
    public List<Sample> typed() {
        int[] places = COLUMNS.stream().mapToInt(columns::indexOf).toArray();
        return samples.stream()
                .limit(MOST_READ)
                .map(row -> Arrays.stream(places)
                        .mapToDouble(at -> at >= 0 && at < row.size() ? row.get(at) : Double.NaN)
                        .toArray())
                .map(cells -> new Sample(cells[0], cells[1], cells[2], cells[3], cells[4]))
                .toList();
    }
}
