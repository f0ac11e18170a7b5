package kvant.lab.compare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import kvant.lab.LabException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads the JSON of a run back, as far as a comparison needs it. JSON is YAML 1.2, so that one reader does for both.
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
        Map<?, ?> root = parse();
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

    private Map<?, ?> parse() {
        try {
            String text = text();
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(LONGEST)
                    .setLabel(file.toString())
                    .build();
            if (new Load(settings).loadFromString(text) instanceof Map<?, ?> root) {
                return root;
            }
            throw new LabException(file + " holds no JSON object");
        } catch (IOException e) {
            String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "there is no such file";
            throw new LabException("cannot read " + file + ": " + why, e);
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + " is not a result of 'kvant load': it is nested too deeply", e);
        } catch (YamlEngineException e) {
            throw new LabException(
                    file + " is not JSON: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                    e);
        }
    }

    /// At most so much as a result can have, whatever the file is.
    private String text() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LONGEST + 1);
        }
        if (bytes.length > LONGEST) {
            throw new LabException(file + " is longer than a result of 'kvant load' can be");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new LabException(file + " is not JSON: it is not text in UTF-8", e);
        }
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
