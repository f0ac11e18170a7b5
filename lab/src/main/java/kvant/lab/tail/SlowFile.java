package kvant.lab.tail;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.LabException;
import kvant.lab.record.SlowRequest;
import kvant.lab.report.SlowReport;
import kvant.lab.workload.Operation;
import kvant.lab.yaml.JsonFile;
import org.jspecify.annotations.Nullable;

/// Reads the file of the slowest requests back.
///
/// @param of how many requests the run had
record SlowFile(List<Banded> requests, long of) {

    private static final int MOST_STATUS = 999;
    private static final int MOST_PORT = 65_535;

    /// @param bandFrom percentile at which its band begins
    record Banded(SlowRequest request, double bandFrom) {}

    SlowFile {
        requests = List.copyOf(requests);
    }

    /// @throws LabException naming the file and what is wrong with it
    static SlowFile read(Path file) {
        Map<?, ?> root = JsonFile.read(file, "a file of the slowest requests", JsonFile.LONGEST);
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
}
