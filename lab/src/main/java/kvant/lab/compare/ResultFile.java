package kvant.lab.compare;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import kvant.lab.LabException;
import kvant.lab.yaml.JsonFile;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Reads the JSON of a run back, as far as a comparison needs it.
public final class ResultFile {

    private static final String SCHEMA = "kvant-load/1";
    /// A run of a day has a tenth of that; its nodes take many times as much memory as its text.
    private static final int LONGEST = 64 << 20;

    private final Path file;

    private ResultFile(Path file) {
        this.file = file;
    }

    /// @throws LabException naming the file and what is missing in it
    public static Sample read(Path file) {
        return new ResultFile(file).read();
    }

    private Sample read() {
        Map<?, ?> root = JsonFile.read(file, "a result of 'kvant load'", JsonFile.LONGEST);
        if (!SCHEMA.equals(root.get("schema"))) {
            throw new LabException(file + " is not a result of 'kvant load' (schema " + SCHEMA + ")");
        }
        List<Histogram> blocks = new ArrayList<>();
        for (Object block : list(root, "blocks")) {
            blocks.add(histogram(String.valueOf(block)));
        }
        Map<?, ?> requests = map(root, "requests");
        Map<?, ?> pace = map(root, "pace");
        Map<?, ?> clients = map(root, "clients");
        Map<?, ?> workload = map(root, "workload");
        return new Sample(
                String.valueOf(file.getFileName()),
                blocks,
                rates(root, (long) number(pace, "windowNanos")),
                1,
                (long) number(requests, "due"),
                (long) number(requests, "errors"),
                List.of(
                        "workload " + workload.get("name"),
                        "keys " + workload.get("keys") + " " + workload.get("keyDistribution"),
                        "values of " + workload.get("values") + " bytes",
                        "hits " + workload.get("hits"),
                        "a target of " + (pace.get("targetRate") == null ? "none" : number(pace, "targetRate")) + "/s",
                        "arrivals " + pace.get("law"),
                        clients.get("connections") + " connections",
                        "depth " + clients.get("depth")),
                doubts(root));
    }

    private static List<String> doubts(Map<?, ?> root) {
        List<String> doubts = new ArrayList<>();
        if (!"valid".equals(root.get("validity"))) {
            doubts.add(root.get("validity") + ": " + root.get("validityReason"));
        }
        if (!Boolean.TRUE.equals(root.get("complete"))) {
            doubts.add("partial: " + root.get("partial"));
        }
        return doubts;
    }

    private List<Double> rates(Map<?, ?> root, long windowNanos) {
        List<Double> rates = new ArrayList<>();
        for (Object row : list(root, "windows")) {
            if (row instanceof List<?> figures
                    && figures.size() > 2
                    && figures.get(1) instanceof Number length
                    && figures.get(2) instanceof Number completed
                    && length.longValue() == windowNanos) {
                rates.add(completed.doubleValue() * 1e9 / windowNanos);
            }
        }
        return rates;
    }

    private Histogram histogram(String encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException | RuntimeException e) { // the decoder trusts its input
            throw new LabException(file + ": a histogram in it cannot be read", e);
        }
    }

    private List<?> list(Map<?, ?> map, String key) {
        return map.get(key) instanceof List<?> list ? list : missing(key);
    }

    private Map<?, ?> map(Map<?, ?> map, String key) {
        return map.get(key) instanceof Map<?, ?> found ? found : missing(key);
    }

    private double number(Map<?, ?> map, String key) {
        @Nullable Object value = map.get(key);
        return value instanceof Number number ? number.doubleValue() : this.<Double>missing(key);
    }

    private <T> T missing(String key) {
        throw new LabException(file + ": '" + key + "' is missing");
    }
}
