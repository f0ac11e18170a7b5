package kvant.lab.tail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.LabException;
import kvant.lab.record.SlowRequest;
import kvant.lab.report.SlowReport;
import kvant.lab.workload.Operation;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads the file of the slowest requests back. JSON is YAML 1.2, so that one reader does for both.
///
/// @param of how many requests the run had
record SlowFile(List<Banded> requests, long of) {

    /// As many as can be kept take a tenth of that.
    private static final int LONGEST = 64 << 20;

    private static final int MOST_STATUS = 999;
    private static final int MOST_PORT = 65_535;

    /// @param bandFrom percentile at which its band begins
    record Banded(SlowRequest request, double bandFrom) {}

    SlowFile {
        requests = List.copyOf(requests);
    }

    /// @throws LabException naming the file and what is wrong with it
    static SlowFile read(Path file) {
        Map<?, ?> root = parse(file);
        if (!SlowReport.SCHEMA.equals(root.get("schema")) || !(root.get("requests") instanceof List<?> rows)) {
            throw new LabException(file + " holds no slowest requests (schema " + SlowReport.SCHEMA + ")");
        }
        List<Banded> requests = new ArrayList<>(rows.size());
        for (Object row : rows) {
            if (!(row instanceof Map<?, ?> members)) {
                throw new LabException(file + ": a request in it is no object");
            }
            requests.add(banded(file, members));
        }
        return new SlowFile(requests, number(file, root, "of"));
    }

    private static Banded banded(Path file, Map<?, ?> row) {
        long due = number(file, row, "dueNanos");
        long sent = number(file, row, "sentNanos");
        long received = number(file, row, "receivedNanos");
        if (due > received || sent > received) {
            throw new LabException(file + ": a request in it was answered before it was due or sent");
        }
        SlowRequest request = new SlowRequest(
                due,
                row.containsKey("freeNanos") ? number(file, row, "freeNanos") : due,
                sent,
                row.containsKey("readyNanos") ? number(file, row, "readyNanos") : received,
                received,
                Math.clamp(number(file, row, "port"), 0, MOST_PORT),
                operation(row.get("operation")),
                Math.clamp(number(file, row, "status"), 0, MOST_STATUS));
        double band = row.get("bandFrom") instanceof Number from ? from.doubleValue() : 0;
        return new Banded(request, band);
    }

    /// One that a later version has is a request like any other.
    private static Operation operation(@Nullable Object name) {
        try {
            return Operation.valueOf(String.valueOf(name).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            return Operation.PLAIN;
        }
    }

    private static long number(Path file, Map<?, ?> map, String key) {
        if (map.get(key) instanceof Number number) {
            return number.longValue();
        }
        throw new LabException(file + ": '" + key + "' is missing, or no number");
    }

    private static Map<?, ?> parse(Path file) {
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(LONGEST)
                    .setLabel(file.toString())
                    .build();
            if (new Load(settings).loadFromString(text(file)) instanceof Map<?, ?> root) {
                return root;
            }
            throw new LabException(file + " holds no JSON object");
        } catch (IOException e) {
            String why = Files.exists(file) ? String.valueOf(e.getMessage()) : "there is no such file";
            throw new LabException("cannot read " + file + ": " + why, e);
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + " is nested too deeply", e);
        } catch (YamlEngineException e) {
            throw new LabException(
                    file + " is not JSON: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                    e);
        }
    }

    private static String text(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LONGEST + 1);
        }
        if (bytes.length > LONGEST) {
            throw new LabException(file + " is longer than a file of the slowest requests can be");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
