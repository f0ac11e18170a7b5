package kvant.lab.study.folder;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import kvant.lab.LabException;
import org.HdrHistogram.Histogram;

/// What the generator wrote about one step.
///
/// @param response from the time that each request was due, failed ones at what they waited
/// @param accepted the part of it that got what it asked for
/// @param encodedBlocks successive stretches; decoded when somebody needs them, because they are large
/// @param windows `windowColumns` say what stands in a row
/// @param failures requests by what became of them, only those above 0
/// @param warm false where it was measured before successive windows agreed
/// @param busiest share of its time that the busiest thread of the generator had no rest
public record LoadResult(
        Histogram response,
        Histogram accepted,
        List<String> encodedBlocks,
        List<Window> windows,
        long due,
        long answered,
        long errors,
        Map<String, Long> failures,
        Map<String, Long> statuses,
        boolean warm,
        double achievedRate,
        String validity,
        String validityReason,
        boolean complete,
        String partial,
        double busiest,
        double lagP99Nanos) {

    private static final String SCHEMA = "kvant-load/1";
    private static final int MOST_WINDOWS = 100_000;

    /// One stretch of time, usually a second.
    public record Window(
            double fromNanos,
            double lengthNanos,
            double completed,
            double errors,
            double p50Nanos,
            double p99Nanos,
            double maxNanos) {

        public double rate() {
            return lengthNanos > 0 ? completed * 1e9 / lengthNanos : 0;
        }
    }

    /// @throws LabException in one line that names the file
    public static LoadResult read(Path file) {
        Document json = Document.read(file);
        if (!SCHEMA.equals(json.at("schema").text())) {
            throw new LabException(file + " is not a result of 'kvant load' (schema " + SCHEMA + ")");
        }
        Document latency = json.at("latency");
        Document requests = json.at("requests");
        return new LoadResult(
                histogram(file, latency.at("response")),
                histogram(file, latency.at("acceptedResponse")),
                json.at("blocks").texts(),
                windows(json),
                requests.at("due").whole(),
                requests.at("answered").whole(),
                requests.at("errors").whole(),
                failures(requests),
                counts(json.at("statuses")),
                !(json.at("warmup").at("mode").text().equals("auto")
                        && Boolean.FALSE.equals(json.at("warmup").at("stable").value())),
                json.at("achievedRate").number(),
                json.at("validity").text(),
                json.at("validityReason").told(),
                json.at("complete").flag(),
                json.at("partial").told(),
                json.at("generator").at("busiestThread").number(),
                latency.at("sendLag").at("percentilesNanos").at("99").number());
    }

    public boolean isInvalid() {
        return validity.equals("invalid");
    }

    public boolean isDoubtful() {
        return validity.equals("doubtful");
    }

    public double errorShare() {
        return due == 0 ? 0 : (double) errors / due;
    }

    /// The stretches that uncertainty within a run is computed from.
    public List<Histogram> blocks() {
        return encodedBlocks.stream().map(LoadResult::decoded).toList();
    }

    private static Histogram histogram(Path file, Document json) {
        String encoded = json.at("histogram").text();
        if (encoded.isEmpty()) {
            return new Histogram(3);
        }
        try {
            return decoded(encoded);
        } catch (LabException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    private static Histogram decoded(String encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException | RuntimeException e) { // the decoder trusts its input
            throw new LabException("a histogram in it cannot be read", e);
        }
    }

    private static List<Window> windows(Document json) {
        List<String> columns = json.at("windowColumns").texts();
        List<Window> windows = new ArrayList<>();
        for (Document row : json.at("windows").list()) {
            double[] cells = row.numbers();
            if (windows.size() < MOST_WINDOWS) {
                windows.add(new Window(
                        cell(columns, cells, "fromNanos"),
                        cell(columns, cells, "lengthNanos"),
                        cell(columns, cells, "completed"),
                        cell(columns, cells, "errors"),
                        cell(columns, cells, "p50Nanos"),
                        cell(columns, cells, "p99Nanos"),
                        cell(columns, cells, "maxNanos")));
            }
        }
        return windows;
    }

    private static double cell(List<String> columns, double[] cells, String name) {
        int at = columns.indexOf(name);
        return at >= 0 && at < cells.length ? cells[at] : Double.NaN;
    }

    private static Map<String, Long> failures(Document requests) {
        Map<String, Long> failures = counts(requests.at("failed"));
        for (String kind : List.of("unsent", "unexpectedStatus", "wrongBodies")) {
            if (requests.at(kind).whole() > 0) {
                failures.put(kind, requests.at(kind).whole());
            }
        }
        return failures;
    }

    private static Map<String, Long> counts(Document json) {
        Map<String, Long> counts = new LinkedHashMap<>();
        json.members().forEach((name, count) -> {
            if (count.whole() > 0) {
                counts.put(name, count.whole());
            }
        });
        return counts;
    }
}
