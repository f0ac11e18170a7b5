package kvant.lab.tail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import kvant.lab.result.Remark;
import kvant.lab.result.TailRecord;
import kvant.lab.tail.Division.Part;
import kvant.load.record.SlowRequest;
import kvant.load.result.RecordJson;
import kvant.load.result.ResultFile;
import kvant.load.result.SlowestFile;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The attribution of the slowest requests' time, by band: the schema of docs/tail.md.
public final class TailAttribution {

    private static final String RESOURCE = "kvant-lab.jfc";

    /// A band: its requests, the sums of their parts, and the concurrent background work.
    private static final class Band {

        final double from;
        final long[] sums = new long[Part.ALL.length];
        final Map<String, Long> meanwhile = new LinkedHashMap<>();
        long requests;

        Band(double from) {
            this.from = from;
        }

        void add(long[] parts) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += parts[i];
            }
            requests++;
        }

        /// Adds the overlap of background work with the request added last, by kind.
        void addMeanwhile(SlowRequest request, Map<String, Spans> work) {
            work.forEach((name, spans) ->
                    meanwhile.merge(name, spans.overlap(request.dueNanos(), request.receivedNanos()), Long::sum));
        }

        long sum() {
            return LongStream.of(sums).sum();
        }

        long unknown() {
            return sums[Part.UNKNOWN.ordinal()];
        }
    }

    private final SlowestFile.Saved slow;
    private final NodeRecording node;
    private final TreeMap<Double, Band> bands = new TreeMap<>();
    private final List<Remark> notes = new ArrayList<>();
    private long unmatched;
    private long unrecorded;

    private TailAttribution(SlowestFile.Saved slow, NodeRecording node) {
        this.slow = slow;
        this.node = node;
    }

    /// Divides the time of the slowest requests of a run and writes the result.
    ///
    /// @param loadJson result of the run; if it exists, it is used to check that both files are from the same run
    /// @param slowJson its slowest requests
    /// @param nodeJfr recording of the node with the settings of [JfrSettings]; may be null or missing
    /// @throws UserException in one line, when a file cannot be read or written
    public static void write(Path loadJson, Path slowJson, @Nullable Path nodeJfr, Path tailJson) {
        RecordJson.write(tailJson, of(loadJson, slowJson, nodeJfr));
    }

    static TailRecord of(Path loadJson, Path slowJson, @Nullable Path nodeJfr) {
        SlowestFile.Saved slow = SlowestFile.read(slowJson);
        List<SlowRequest> requests =
                slow.requests().stream().map(SlowestFile.Banded::request).toList();
        TailAttribution tail = new TailAttribution(slow, RecordingReader.read(nodeJfr, requests));
        if (Files.exists(loadJson) && ResultFile.read(loadJson).requests().due() != slow.of()) {
            tail.notes.add(new Remark.TailOfAnotherRun(loadJson.getFileName().toString()));
        }
        tail.divide();
        return tail.record();
    }

    private void divide() {
        for (SlowestFile.Banded each : slow.requests()) {
            SlowRequest request = each.request();
            Band band = bands.computeIfAbsent(each.bandFrom(), Band::new);
            band.add(Division.of(request, node));
            band.addMeanwhile(request, node.meanwhile());
            if (node.match(request) == null) {
                unmatched++;
                if (!node.recorded().overlaps(request.sentNanos(), request.receivedNanos())) {
                    unrecorded++;
                }
            }
        }
        notes.addAll(node.notes());
        boolean recorded = node.recorded().count() > 0;
        if (recorded && unmatched > 0) {
            notes.add(new Remark.RequestsWithoutEvent(unmatched, slow.requests().size(), unrecorded));
        }
    }

    private TailRecord record() {
        long all = bands.values().stream().mapToLong(Band::sum).sum();
        long unknown = bands.values().stream().mapToLong(Band::unknown).sum();
        List<TailRecord.Band> records = new ArrayList<>();
        bands.forEach((from, band) -> {
            Double next = bands.higherKey(from);
            records.add(band(band, next == null ? 100 : next));
        });
        int requests = slow.requests().size();
        return new TailRecord(
                TailRecord.SCHEMA, attributed(all, unknown), requests, requests - unmatched, slow.of(), records, notes);
    }

    private static TailRecord.Band band(Band band, double to) {
        Map<String, Double> parts = new LinkedHashMap<>();
        double mean = 0;
        for (Part part : Part.ALL) {
            long nanos = band.sums[part.ordinal()] / band.requests; // whole, so that the written parts add up
            parts.put(part.key, (double) nanos);
            mean += nanos;
        }
        Map<String, Double> meanwhile = new LinkedHashMap<>();
        band.meanwhile.forEach((name, nanos) -> meanwhile.put(name, (double) (nanos / band.requests)));
        return new TailRecord.Band(
                band.from, to, band.requests, attributed(band.sum(), band.unknown()), mean, parts, meanwhile);
    }

    private static double attributed(long all, long unknown) {
        return all == 0 ? 0 : (double) (all - unknown) / all;
    }

    /// Writes settings of the flight recorder, for `-XX:StartFlightRecording:settings=FILE`, with which the time of
    /// requests can be divided. Every request is recorded: one that was slow in transmission may have been fast in
    /// the node.
    ///
    /// @throws UserException when the file cannot be written
    public static void writeSettings(Path file) {
        try (InputStream in = TailAttribution.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the laboratory lacks its file " + RESOURCE);
            }
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
