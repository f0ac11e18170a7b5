package kvant.load.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.load.record.SlowRequest;
import kvant.load.record.SlowestRequests;
import kvant.load.workload.Operation;
import kvant.text.Json;
import kvant.text.JsonValue;
import kvant.text.UserException;

/// Writes the slowest requests of a run as JSON, one per line, and reads them: the schema of docs/tail.md, version
/// [#SCHEMA].
public final class SlowestFile {

    public static final String SCHEMA = "kvant-slow/1";

    /// Lower ends of the bands, in percent. A request belongs to the highest band that contains it.
    private static final double[] BANDS = {0, 90, 99, 99.9, 99.99, 99.999};

    private static final int MOST_STATUS = 999;
    private static final int MOST_PORT = 65_535;

    /// @param of total number of requests in the run
    public record Saved(List<Banded> requests, long of) {

        public Saved {
            requests = List.copyOf(requests);
        }
    }

    /// @param bandFrom percentile at which its band starts
    public record Banded(SlowRequest request, double bandFrom) {}

    private SlowestFile() {}

    public static String of(SlowestRequests slowest) {
        List<SlowRequest> requests = slowest.requests();
        Json json = new Json()
                .open()
                .put("schema", SCHEMA)
                .put("clock", "CLOCK_MONOTONIC (System.nanoTime)")
                .put("threshold", slowest.thresholdNanos())
                .put("kept", requests.size())
                .put("of", slowest.of())
                .putExact("share", slowest.share())
                .openList("requests");
        for (int rank = 0; rank < requests.size(); rank++) {
            json.addLine(RecordJson.line(requests.get(rank))
                    .putExact("bandFrom", band(rank, slowest.of()))
                    .close());
        }
        return json.closeList().close().toString();
    }

    /// @param rank 0 for the slowest
    static double band(int rank, long of) {
        double band = 0;
        for (double from : BANDS) {
            if (rank < Math.round(of * (100 - from) / 100)) { // of a thousand requests one is beyond 99.9 %
                band = from;
            }
        }
        return band;
    }

    /// @throws UserException naming the file and the error
    public static Saved read(Path file) {
        JsonValue root = JsonValue.read(file, "a list of slow requests");
        if (!SCHEMA.equals(root.at("schema").text()) || !(root.at("requests").value() instanceof List)) {
            throw new UserException(file + " is not a list of slow requests (schema " + SCHEMA + ")");
        }
        List<Banded> requests = new ArrayList<>();
        for (JsonValue row : root.at("requests").list()) {
            requests.add(banded(row, file + ": request " + (requests.size() + 1)));
        }
        return new Saved(requests, number(root, "of", file.toString()));
    }

    private static Banded banded(JsonValue row, String label) {
        long due = number(row, "dueNanos", label);
        long sent = number(row, "sentNanos", label);
        long received = number(row, "receivedNanos", label);
        if (due > received || sent > received) {
            throw new UserException(label + " was answered before it was due or sent");
        }
        SlowRequest request = new SlowRequest(
                due,
                row.at("freeNanos").isMissing() ? due : number(row, "freeNanos", label),
                sent,
                row.at("readyNanos").isMissing() ? received : number(row, "readyNanos", label),
                received,
                Math.clamp(number(row, "port", label), 0, MOST_PORT),
                operation(row.at("operation").text()),
                Math.clamp(number(row, "status", label), 0, MOST_STATUS));
        double band = row.at("bandFrom").number();
        return new Banded(request, Double.isNaN(band) ? 0 : band);
    }

    /// An operation of a later version counts as a plain request.
    private static Operation operation(String name) {
        try {
            return Operation.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            return Operation.PLAIN;
        }
    }

    private static long number(JsonValue json, String name, String label) {
        if (json.at(name).value() instanceof Number number) {
            return number.longValue();
        }
        throw new UserException(label + " lacks '" + name + "', or it is no number");
    }
}
