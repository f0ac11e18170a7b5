package kvant.bench.cluster;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.text.Json;

/// What the rounds of `kvant bench gateway` say.
///
/// @param pairs the runs of each kind of load, by rounds
record GatewayReport(Map<Kind, Pair> pairs) {

    private static final String SCHEMA = "kvant-gateway/1";

    /// @param rate requests a second, 0 for a closed loop
    record Kind(String operation, int rate) {

        String text() {
            return operation + ", " + (rate > 0 ? rate + "/s" : "closed loop");
        }
    }

    /// Runs of the same rounds.
    record Pair(List<GatewayRun> gateway, List<GatewayRun> client) {

        static Pair empty() {
            return new Pair(new ArrayList<>(), new ArrayList<>());
        }

        /// One figure for each round.
        List<Double> each(ToDoubleBiFunction<GatewayRun, GatewayRun> figure) {
            List<Double> figures = new ArrayList<>();
            for (int i = 0; i < gateway.size(); i++) {
                figures.add(figure.applyAsDouble(gateway.get(i), client.get(i)));
            }
            return figures;
        }
    }

    /// The disks of all nodes, once everything is flushed and merged.
    record Disk(long keys, long bytes, int tables, int payloadBytes) {

        double bytesPerKeyAndReplica() {
            return (double) bytes / keys / LocalCluster.NODES;
        }
    }

    /// Gateway against client, of one operation.
    private record Comparison(Ratio throughput, Ratio p50More, Ratio p99More, Ratio cpuMore, Ratio cassandraCpu) {

        static Comparison of(Pair closed, Pair paced) {
            return new Comparison(
                    Ratio.of(closed.each((a, b) -> a.rate() / b.rate())),
                    Ratio.of(paced.each((a, b) -> (a.p50Micros() - b.p50Micros()) / 1e3)),
                    Ratio.of(paced.each((a, b) -> (a.p99Micros() - b.p99Micros()) / 1e3)),
                    Ratio.of(closed.each((a, b) -> a.ownCpu() - b.ownCpu())),
                    Ratio.of(closed.each((a, b) -> a.cassandraCpu() / b.cassandraCpu())));
        }
    }

    private Comparison comparison(String operation, int rate) {
        return Comparison.of(
                pairs.getOrDefault(new Kind(operation, 0), Pair.empty()),
                pairs.getOrDefault(new Kind(operation, rate), Pair.empty()));
    }

    void print(PrintStream out, int slots, int rate) {
        printRuns(out);
        out.printf(
                Locale.ROOT,
                "%nGateway against bare driver, by rounds: the median, and in brackets the least and the"
                        + " most. Throughput"
                        + " is that of the closed loop with %d requests in flight, latency that at %d/s.%n%n",
                slots,
                rate);
        printRatios(out, rate);
    }

    private void printRuns(PrintStream out) {
        MarkdownTable runs = new MarkdownTable(
                out,
                "load",
                "through",
                "answers/s",
                "p50 ms",
                "p99 ms",
                "CPU us/request: Kvant or client",
                "Cassandra, all three",
                "generator",
                "errors");
        pairs.forEach((kind, pair) -> {
            row(runs, kind, "gateway", pair.gateway());
            row(runs, kind, "bare driver", pair.client());
        });
    }

    private void printRatios(PrintStream out, int rate) {
        MarkdownTable ratios = new MarkdownTable(
                out,
                "operation",
                "throughput, ratio (goal: at least 0.8)",
                "p50, ms more",
                "p99, ms more (goal: at most 1)",
                "CPU us/request, more (generator left out)",
                "Cassandra's CPU, ratio");
        for (String operation : List.of("get", "put")) {
            Comparison one = comparison(operation, rate);
            ratios.row(
                    operation,
                    one.throughput().text(),
                    one.p50More().text(),
                    one.p99More().text(),
                    one.cpuMore().text(0),
                    one.cassandraCpu().text());
        }
    }

    private static void row(MarkdownTable table, Kind kind, String through, List<GatewayRun> runs) {
        table.row(
                kind.text(),
                through,
                String.format(Locale.ROOT, "%.0f", Ratio.median(runs, GatewayRun::rate)),
                String.format(Locale.ROOT, "%.2f", Ratio.median(runs, GatewayRun::p50Micros) / 1e3),
                String.format(Locale.ROOT, "%.2f", Ratio.median(runs, GatewayRun::p99Micros) / 1e3),
                String.format(Locale.ROOT, "%.0f", Ratio.median(runs, GatewayRun::ownCpu)),
                String.format(Locale.ROOT, "%.0f", Ratio.median(runs, GatewayRun::cassandraCpu)),
                String.format(Locale.ROOT, "%.0f", Ratio.median(runs, GatewayRun::generatorCpu)),
                (long) runs.stream().mapToDouble(GatewayRun::failures).sum());
    }

    static void print(PrintStream out, Disk disk) {
        double perKey = disk.bytesPerKeyAndReplica();
        out.printf(
                Locale.ROOT,
                "%n## Bytes on disk%n%n%,d keys in %d tables of three nodes after flush and compaction: %.0f bytes for"
                        + " each key and replica, of which %d are the key and its value (which does not compress) and"
                        + " %.0f are Cassandra's.%n",
                disk.keys(),
                disk.tables(),
                perKey,
                disk.payloadBytes(),
                perKey - disk.payloadBytes());
    }

    /// For `kvant bench scaling`, and for programs.
    String json(Origin origin, int rate, Disk disk) {
        Json json = new Json().open().put("schema", SCHEMA);
        origin.write(json);
        json.open("runs");
        pairs.forEach((kind, pair) -> {
            json.open(kind.operation() + " " + (kind.rate() == 0 ? "closed" : kind.rate()));
            json.openList("gateway");
            pair.gateway().forEach(run -> run.write(json));
            json.closeList().openList("client");
            pair.client().forEach(run -> run.write(json));
            json.closeList().close();
        });
        json.close().open("ratios");
        for (String operation : List.of("get", "put")) {
            Comparison one = comparison(operation, rate);
            json.open(operation);
            one.throughput().write(json, "throughput");
            one.p50More().write(json, "p50MoreMillis");
            one.p99More().write(json, "p99MoreMillis");
            one.cpuMore().write(json, "cpuMoreMicros");
            one.cassandraCpu().write(json, "cassandraCpu");
            json.close();
        }
        return json.close()
                .open("disk")
                .put("keys", disk.keys())
                .put("bytesPerKeyAndReplica", disk.bytesPerKeyAndReplica())
                .put("payloadBytes", disk.payloadBytes())
                .put("tables", disk.tables())
                .close()
                .close()
                .toString();
    }
}
