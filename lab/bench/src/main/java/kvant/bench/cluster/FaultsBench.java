package kvant.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import kvant.bench.figures.Chart;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.process.Generator;
import kvant.bench.process.Measured;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import kvant.text.Json;
import kvant.text.Scale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench faults`: what clients see while nodes of a Cassandra cluster are killed, restarted and paused, under
/// a constant load of half gets and half puts. Four faults, one after the other. After each one every write that was
/// acknowledged to witnesses beside the load is read back by a quorum.
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        description = "What clients see while servers of a cluster die and stand still. About five minutes.")
public final class FaultsBench implements Callable<Integer> {

    private static final String SCHEMA = "kvant-faults/1";
    private static final int GATEWAY_SECONDS = 5;
    private static final double CALM_SECONDS = 10;
    private static final double PAUSE_SECONDS = 10;
    private static final double DEAD_SECONDS = 8;
    private static final double BACK_SECONDS = 5;
    private static final int VALUE_BYTES = 100;
    private static final int FIRST_ERROR_STATUS = 400;
    private static final double NANOS = 1e9;
    private static final String[] HEADINGS = {
        "fault",
        "requests of the load",
        "failed: in all",
        "from 1 s after the fault on",
        "answers 4xx and 5xx",
        "witnesses: acknowledged",
        "lost",
        "failed from 1 s after",
        "last failure after s",
        "p99 before, ms",
        "worst second's p99 after, ms",
        "longest, ms"
    };

    private static final List<String> WINDOW_COLUMNS =
            List.of("fromNanos", "lengthNanos", "completed", "errors", "p50Nanos", "p99Nanos", "maxNanos");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "All figures.")
    private @Nullable Path json;

    @Option(names = "--picture", description = "An SVG of latency and failures of each second.")
    private @Nullable Path picture;

    @Option(names = "--rate", description = "Requests a second (default: ${DEFAULT-VALUE}).")
    private int rate = 200;

    @Option(names = "--connections", description = "Of the load (default: ${DEFAULT-VALUE}).")
    private int connections = 32;

    @Option(names = "--witnesses", description = "Each writes ten keys a second (default: ${DEFAULT-VALUE}).")
    private int witnesses = 8;

    @Option(names = "--keys", description = "In the store (default: ${DEFAULT-VALUE}).")
    private long keys = 3000;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin origin = Origin.of(spec, LocalCluster.VERSIONS);
        List<Drill.Outcome> outcomes;
        try (Workbench bench = Workbench.open()) {
            LocalCluster cluster = LocalCluster.start(bench);
            Node gateway = cluster.gateway(bench, "gateway");
            System.err.println("filling and warming up");
            LoadPlan plan = Generator.plan(gateway.target(), "mixed", keys, VALUE_BYTES, connections);
            Generator.fill(plan);
            Measured _ = Generator.run(gateway, plan.with(p -> p.pace = Generator.pace(0, 0, CALM_SECONDS)));
            Measured _ = Generator.run(gateway, plan.with(p -> p.pace = Generator.pace(rate, 0, CALM_SECONDS)));
            outcomes = List.of(
                    run(gateway, plan, "one killed", 30, killOne(cluster)),
                    run(gateway, plan, "it comes back", 40, comeBack(cluster)),
                    run(gateway, plan, "two killed and back", 65, killTwo(cluster)),
                    run(gateway, plan, "one paused for 10 s", 35, pauseOne(cluster)));
        }
        print(origin, outcomes);
        if (picture != null) {
            System.out.printf("%n![Latency and failures of each second](%s)%n", picture.getFileName());
            Files.writeString(picture, picture(outcomes));
        }
        if (json != null) {
            Files.writeString(json, json(origin, outcomes));
        }
        return outcomes.stream().anyMatch(one -> one.lost() > 0) ? 1 : 0;
    }

    private Drill.Outcome run(Node gateway, LoadPlan plan, String name, int seconds, Drill.Fault fault)
            throws IOException, InterruptedException {
        LoadPlan load = plan.with(p -> {
            p.clients = p.clients.with(c -> c.timeout = Duration.ofSeconds(20));
            p.pace = Generator.pace(rate, 0, seconds).with(t -> t.drain = Duration.ofSeconds(10));
        });
        return Drill.run(name, gateway, load, witnesses, fault);
    }

    private static Drill.Fault killOne(LocalCluster cluster) {
        return drill -> {
            drill.sleepUntil(CALM_SECONDS);
            drill.fault("kill -9");
            cluster.run("kill", "2");
        };
    }

    private static Drill.Fault comeBack(LocalCluster cluster) {
        return drill -> {
            drill.sleepUntil(BACK_SECONDS);
            drill.fault("start");
            cluster.up();
            drill.up();
        };
    }

    private static Drill.Fault killTwo(LocalCluster cluster) {
        return drill -> {
            drill.sleepUntil(CALM_SECONDS);
            drill.fault("kill two");
            cluster.run("kill", "2");
            cluster.run("kill", "3");
            drill.sleepUntil(CALM_SECONDS + DEAD_SECONDS);
            drill.mark("start");
            cluster.up();
            drill.up();
        };
    }

    private static Drill.Fault pauseOne(LocalCluster cluster) {
        return drill -> {
            drill.sleepUntil(CALM_SECONDS);
            drill.fault("pause");
            cluster.run("pause", "3");
            drill.sleepUntil(CALM_SECONDS + PAUSE_SECONDS);
            cluster.run("resume", "3");
            drill.mark("resume");
        };
    }

    private void print(Origin origin, List<Drill.Outcome> outcomes) {
        System.out.println("# Faults of a cluster under load\n");
        origin.print(System.out);
        System.out.printf(
                "Load, gateway and all Cassandra nodes share %d cores: %d requests/s, half of them puts, over %d"
                        + " connections; %d witnesses write ten new keys a second each. Quorum of three replicas, the"
                        + " gateway's time limit is %d s. Times count from when a request was due. While a node starts,"
                        + " its JVM takes most of the cores: that is in the figures.%n%n",
                Runtime.getRuntime().availableProcessors(), rate, connections, witnesses, GATEWAY_SECONDS);
        MarkdownTable table = new MarkdownTable(System.out, HEADINGS);
        outcomes.forEach(one -> row(table, one));
        Drill.Outcome two = outcomes.get(2);
        System.out.printf(
                Locale.ROOT,
                "%nTwo of three killed: without a quorum requests are answered 504, the slowest %.1f s after it was"
                        + " sent; the response times of the table have the wait for a free connection besides. %.1f s"
                        + " after all servers take clients again the last request fails.%n",
                Measured.millis(two.load().result().totals().refused(), 100) / 1e3,
                two.recoveredAfter(two.upAt()));
    }

    private static void row(MarkdownTable table, Drill.Outcome one) {
        double at = one.faultAt();
        table.row(
                one.name(),
                one.windows().stream().mapToLong(Window::completed).sum(),
                one.load().counts().errors(),
                one.failedSince(at + 1),
                statuses(one.load().counts()),
                one.acknowledged(),
                "**" + one.lost() + "**",
                one.failures().stream().filter(when -> when > at + 1).count(),
                String.format(Locale.ROOT, "%.1f", one.recoveredAfter(at)),
                MarkdownTable.number("%.0f", one.calmP99Millis()),
                MarkdownTable.number("%.0f", one.worstP99MillisSince(at - 1)),
                String.format(Locale.ROOT, "%.0f", one.longestMillis()));
    }

    private static String statuses(RequestCounts counts) {
        StringJoiner text = new StringJoiner(", ").setEmptyValue("none");
        errorStatuses(counts).forEach(status -> text.add(status + ": " + counts.statusCount(status)));
        return text.toString();
    }

    private static IntStream errorStatuses(RequestCounts counts) {
        return IntStream.range(FIRST_ERROR_STATUS, RequestCounts.STATUS_END)
                .filter(status -> counts.statusCount(status) > 0);
    }

    private static String picture(List<Drill.Outcome> outcomes) {
        Chart chart = new Chart(
                "Latency and failures of each second while nodes of a cluster fail", List.of("p50", "p99", "max"));
        chart.explainArea("failed, share of the second's requests (full height: all)");
        for (Drill.Outcome one : outcomes) {
            List<Window> windows = one.windows().stream()
                    .filter(window -> window.completed() > 0)
                    .toList();
            double span = windows.stream()
                    .mapToDouble(window -> (window.fromNanos() + window.lengthNanos()) / NANOS)
                    .max()
                    .orElse(CALM_SECONDS);
            Chart.Panel panel = chart.panel(one.name());
            List<Double> tens = IntStream.rangeClosed(0, (int) span / 10)
                    .mapToObj(ten -> ten * 10.0)
                    .toList();
            panel.axes(
                    Scale.linear(0, span).withTicks(tens), "seconds", Scale.decades(1, 100_000), "response time, ms");
            one.marks().forEach(mark -> panel.mark(mark.seconds(), mark.text()));
            for (Window window : windows) {
                if (window.errors() > 0) {
                    double from = window.fromNanos() / NANOS;
                    panel.area(
                            from, from + window.lengthNanos() / NANOS, (double) window.errors() / window.completed());
                }
            }
            panel.line(
                    0,
                    windows.stream().map(each -> point(each, each.p50Nanos())).toList());
            panel.line(
                    1,
                    windows.stream().map(each -> point(each, each.p99Nanos())).toList());
            panel.line(
                    2,
                    windows.stream().map(each -> point(each, each.maxNanos())).toList());
        }
        return chart.svg();
    }

    /// In the middle of the window.
    private static double[] point(Window window, long nanos) {
        return new double[] {(window.fromNanos() + window.lengthNanos() / 2.0) / NANOS, nanos / 1e6};
    }

    private static String json(Origin origin, List<Drill.Outcome> outcomes) {
        Json json = new Json().open().put("schema", SCHEMA);
        origin.write(json);
        json.openList("windowColumns");
        WINDOW_COLUMNS.forEach(json::add);
        json.closeList().openList("drills");
        for (Drill.Outcome one : outcomes) {
            RequestCounts counts = one.load().counts();
            json.open()
                    .put("name", one.name())
                    .put("faultAtSeconds", one.faultAt())
                    .put("errors", counts.errors());
            json.put("acknowledged", one.acknowledged()).put("lost", one.lost()).openList("marks");
            one.marks()
                    .forEach(mark -> json.open()
                            .put("seconds", mark.seconds())
                            .put("text", mark.text())
                            .close());
            json.closeList().open("statuses");
            errorStatuses(counts).forEach(status -> json.put(Integer.toString(status), counts.statusCount(status)));
            json.close().openList("witnessFailures");
            json.add(one.failures().stream().mapToDouble(Double::doubleValue).toArray());
            json.closeList().openList("windows");
            for (Window window : one.windows()) {
                json.add(
                        window.fromNanos(),
                        window.lengthNanos(),
                        window.completed(),
                        window.errors(),
                        window.p50Nanos(),
                        window.p99Nanos(),
                        window.maxNanos());
            }
            json.closeList().close();
        }
        return json.closeList().close().toString();
    }
}
