package kvant.bench.http;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Ratio;
import kvant.text.Json;

/// What the rounds say: ratios to the baseline of the same round, with their spread.
///
/// @param baseline name of the server that the others are compared with
/// @param runs of each server, one per round
record HttpReport(
        String baseline,
        Map<String, List<Slice>> runs,
        String generator,
        boolean tls,
        int connections,
        int valueBytes,
        double seconds) {

    void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "hot get of %d bytes%s, %d connections of %s, one event loop unless said, %d rounds of %s s,"
                        + " ratios to %s%n%n",
                valueBytes,
                tls ? " over TLS 1.3" : "",
                connections,
                generator,
                rounds(),
                seconds,
                baseline);
        MarkdownTable table = new MarkdownTable(
                out, "server", "requests/s", "CPU us/request", "throughput, ratio", "CPU per request, ratio");
        runs.forEach((name, mine) -> table.row(
                name,
                MarkdownTable.number("%,.0f", Ratio.median(mine, Slice::perSecond)),
                MarkdownTable.number("%.2f", Ratio.median(mine, Slice::cpuMicros)),
                throughput(mine).text(),
                cpu(mine).text()));
    }

    String json() {
        Json json = Json.line()
                .open()
                .put("baseline", baseline)
                .put("generator", generator)
                .put("tls", tls)
                .put("connections", connections)
                .put("valueBytes", valueBytes)
                .put("rounds", rounds())
                .put("seconds", seconds);
        json.openList("servers");
        runs.forEach((name, mine) -> {
            json.open()
                    .put("name", name)
                    .put("requestsPerSecond", Ratio.median(mine, Slice::perSecond))
                    .put("cpuMicros", Ratio.median(mine, Slice::cpuMicros));
            throughput(mine).write(json, "throughput");
            cpu(mine).write(json, "cpu");
            json.close();
        });
        return json.closeList().close().toString();
    }

    private int rounds() {
        return base().size();
    }

    private List<Slice> base() {
        return runs.getOrDefault(baseline, List.of());
    }

    private Ratio throughput(List<Slice> mine) {
        return Ratio.of(mine, base(), Slice::perSecond);
    }

    private Ratio cpu(List<Slice> mine) {
        return Ratio.of(mine, base(), Slice::cpuMicros);
    }
}
