package kvant.lab.tail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvant.lab.LabException;
import kvant.lab.compare.ResultFile;
import kvant.lab.record.SlowRequest;
import kvant.lab.report.Json;
import org.jspecify.annotations.Nullable;

/// Where the time of the slowest requests went, band by band: the schema of docs/tail.md, version [#SCHEMA].
public final class TailAttribution {

    public static final String SCHEMA = "kvant-tail/1";

    /// A band: its requests and the sums of their parts.
    private static final class Band {

        final double from;
        final long[] sums = new long[Part.ALL.length];
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

        long sum() {
            long all = 0;
            for (long part : sums) {
                all += part;
            }
            return all;
        }

        long unknown() {
            return sums[Part.UNKNOWN.ordinal()];
        }
    }

    private final SlowFile slow;
    private final NodeRecording node;
    private final TreeMap<Double, Band> bands = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private long unmatched;
    private long unrecorded;

    private TailAttribution(SlowFile slow, NodeRecording node) {
        this.slow = slow;
        this.node = node;
    }

    /// Divides the slowest requests of a run and writes what it finds.
    ///
    /// @param loadJson result of the run; where it is there, it is asked whether the two are of one run
    /// @param slowJson its slowest requests
    /// @param nodeJfr recording of the node with the settings of [JfrSettings]; null or missing where there is none
    /// @throws LabException in one line, where a file cannot be read or written
    public static void write(Path loadJson, Path slowJson, @Nullable Path nodeJfr, Path tailJson) {
        String text = of(loadJson, slowJson, nodeJfr);
        try {
            Files.writeString(tailJson, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new LabException("cannot write " + tailJson + ": " + e.getMessage(), e);
        }
    }

    static String of(Path loadJson, Path slowJson, @Nullable Path nodeJfr) {
        SlowFile slow = SlowFile.read(slowJson);
        List<SlowRequest> requests =
                slow.requests().stream().map(SlowFile.Banded::request).toList();
        TailAttribution tail = new TailAttribution(slow, RecordingReader.read(nodeJfr, requests));
        if (Files.exists(loadJson) && ResultFile.read(loadJson).due() != slow.of()) {
            tail.notes.add("the slowest requests are not of the run of " + loadJson.getFileName());
        }
        tail.divide();
        return tail.json();
    }

    private void divide() {
        for (SlowFile.Banded each : slow.requests()) {
            SlowRequest request = each.request();
            bands.computeIfAbsent(each.bandFrom(), Band::new).add(Division.of(request, node));
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
            notes.add(unmatched + " of " + slow.requests().size()
                    + " requests have no event of the node, " + unrecorded
                    + " of them because the node was not recorded then");
        }
    }

    private String json() {
        long all = 0;
        long unknown = 0;
        for (Band band : bands.values()) {
            all += band.sum();
            unknown += band.unknown();
        }
        Json json = new Json();
        json.open()
                .put("schema", SCHEMA)
                .put("attributedShare", attributed(all, unknown))
                .put("requests", slow.requests().size())
                .put("matched", slow.requests().size() - unmatched)
                .put("of", slow.of());
        json.openList("bands");
        for (Map.Entry<Double, Band> entry : bands.entrySet()) {
            Double next = bands.higherKey(entry.getKey());
            band(json, entry.getValue(), next == null ? 100 : next);
        }
        json.closeList();
        json.openList("notes");
        notes.forEach(json::add);
        json.closeList().close();
        return json.toString();
    }

    private static void band(Json json, Band band, double to) {
        json.open()
                .put("from", band.from)
                .put("to", to)
                .put("requests", band.requests)
                .put("attributedShare", attributed(band.sum(), band.unknown()));
        long mean = 0;
        for (long sum : band.sums) {
            mean += sum / band.requests; // of the parts as they are written, so that they add up
        }
        json.put("meanNanos", mean).open("parts");
        for (Part part : Part.ALL) {
            json.put(part.key, band.sums[part.ordinal()] / band.requests);
        }
        json.close().close();
    }

    private static double attributed(long all, long unknown) {
        return all == 0 ? 0 : (double) (all - unknown) / all;
    }
}
