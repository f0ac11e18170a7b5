package kvant.lab.result;

import java.util.Arrays;
import java.util.List;

/// What a served process did during the measured time of a step: `samples.json`.
///
/// @param originEpochNanos start of the measured time
/// @param columns what stands in a row of `samples`
public record SamplesRecord(
        long originEpochNanos, List<String> columns, List<List<Double>> samples, List<Event> events) {

    private static final List<String> COLUMNS =
            List.of("fromNanos", "cpuNanos", "rssBytes", "readBytes", "writtenBytes");

    public static final SamplesRecord NONE = of(0, List.of(), List.of());
    private static final int MOST_READ = 100_000;

    /// @param cpuNanos of the process so far, as `readBytes` and `writtenBytes`
    public record Sample(double fromNanos, double cpuNanos, double rssBytes, double readBytes, double writtenBytes) {

        private List<Double> row() {
            return List.of(fromNanos, cpuNanos, rssBytes, readBytes, writtenBytes);
        }
    }

    /// Something that the process did besides answering.
    ///
    /// @param kind `gc`, `safepoint`, `flush`, `compaction` or `stall`
    /// @param fromNanos since the start of the measured time; negative where it began before
    public record Event(String kind, long fromNanos, long toNanos, String detail) {

        public Event {
            toNanos = Math.max(fromNanos, toNanos);
        }
    }

    public static SamplesRecord of(long originEpochNanos, List<Sample> samples, List<Event> events) {
        return new SamplesRecord(
                originEpochNanos, COLUMNS, samples.stream().map(Sample::row).toList(), events);
    }

    /// The rows by name; NaN where there is no such column.
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
