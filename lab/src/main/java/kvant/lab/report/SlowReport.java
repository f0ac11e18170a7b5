package kvant.lab.report;

import java.util.List;
import java.util.Locale;
import kvant.lab.record.SlowRequest;
import kvant.lab.record.Slowest;

/// The slowest requests of a run for a program, one a line: the schema of docs/tail.md, version [#SCHEMA].
public final class SlowReport {

    public static final String SCHEMA = "kvant-slow/1";

    /// What starts each band, in percent. The last band that a request is in is the one that it belongs to.
    private static final double[] BANDS = {0, 90, 99, 99.9, 99.99, 99.999};

    private SlowReport() {}

    public static String of(Slowest slowest) {
        List<SlowRequest> requests = slowest.requests();
        StringBuilder text = new StringBuilder("{\n");
        member(text, "schema", '"' + SCHEMA + '"');
        member(text, "clock", "\"CLOCK_MONOTONIC (System.nanoTime)\"");
        member(text, "threshold", slowest.thresholdNanos());
        member(text, "kept", requests.size());
        member(text, "of", slowest.of());
        member(text, "share", slowest.share());
        text.append("  \"requests\": [");
        for (int rank = 0; rank < requests.size(); rank++) {
            text.append(rank == 0 ? "\n" : ",\n");
            row(text, requests.get(rank), band(rank, slowest.of()));
        }
        return text.append("\n  ]\n}\n").toString();
    }

    private static void member(StringBuilder text, String name, Object value) {
        text.append("  \"").append(name).append("\": ").append(value).append(",\n");
    }

    private static void row(StringBuilder text, SlowRequest request, double band) {
        text.append("    {\"dueNanos\": ")
                .append(request.dueNanos())
                .append(", \"freeNanos\": ")
                .append(request.freeNanos())
                .append(", \"sentNanos\": ")
                .append(request.sentNanos())
                .append(", \"readyNanos\": ")
                .append(request.readyNanos())
                .append(", \"receivedNanos\": ")
                .append(request.receivedNanos())
                .append(", \"port\": ")
                .append(request.port())
                .append(", \"operation\": \"")
                .append(request.operation().name().toLowerCase(Locale.ROOT))
                .append("\", \"status\": ")
                .append(request.status())
                .append(", \"bandFrom\": ")
                .append(band)
                .append('}');
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
}
