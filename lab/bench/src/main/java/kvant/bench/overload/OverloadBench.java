package kvant.bench.overload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import kvant.bench.figures.Chart;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.process.Cores;
import kvant.bench.process.Generator;
import kvant.bench.process.Measured;
import kvant.bench.process.Node;
import kvant.bench.process.NodeFlags;
import kvant.bench.process.Workbench;
import kvant.load.plan.LoadPlan;
import kvant.load.record.PhaseTotals;
import kvant.text.Scale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench overload`: a node under multiples of what it can serve, each executor on a node of its own: goodput,
/// latency of accepted requests, and time to recover. Not an experiment of the laboratory, because the rates follow
/// from a peak that is measured just before.
@Command(
        name = "overload",
        mixinStandardHelpOptions = true,
        description = "Load nodes with multiples of their capacity: goodput, tails, refusals, recovery.")
public final class OverloadBench implements Callable<Integer> {

    /// The capacity is the best of these.
    private static final List<Integer> PEAK_CONNECTIONS = List.of(8, 64);

    /// A JVM is slower in its first seconds.
    private static final double FIRST_WARM_UP_SECONDS = 4;

    private static final int FILLING = 64;
    private static final int WATCHED_SECONDS = 10;
    private static final double NORMAL_MILLIS = 10;
    private static final String KEY = "k00000000000";
    private static final String EXPLANATION = """
            Node on one core, generator on another. Capacity: the peak of a closed loop, the best of 8 and of 64 \
            connections. Load: %d connections, %s s each. Scans of 1 to %d records; puts with durability %s.

            Service time counts from when a request was sent, response time from when it was due: the difference is \
            how long it waited in the generator for a free connection. `not sent` counts requests that never got one, \
            or no answer before the end; where it is not zero the node was not offered all of the load, because it \
            answered too slowly or because the generator was the bottleneck. `broken`: closed, reset, timeout, \
            garbage.

            Normal after: a probe asks every 20 ms; the time from the last due request until ten probes in a row get a \
            2xx within 10 ms, or three times the p99 at the least load. The generator goes on for up to 1 s with what \
            was due before.
            """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodeFlags flags = new NodeFlags();

    @Option(names = "--workloads", split = ",", description = "scan, put, get (default: ${DEFAULT-VALUE}).")
    private List<String> workloads = List.of("scan", "put");

    @Option(names = "--factors", split = ",", description = "Times the capacity, rising (default: ${DEFAULT-VALUE}).")
    private List<Double> factors = List.of(0.8, 1.0, 2.0, 5.0, 10.0);

    @Option(names = "--connections", description = "Of the overload (default: ${DEFAULT-VALUE}).")
    private int connections = 1000;

    @Option(names = "--scan-length", description = "Most records of a range (default: ${DEFAULT-VALUE}).")
    private int scanLength = 10_000;

    @Option(names = "--rounds", description = "How often (default: ${DEFAULT-VALUE}).")
    private int rounds = 1;

    @Option(names = "--quick", description = "Loads of a second, two executors: shows that it works.")
    private boolean quick;

    @Option(names = "--picture", description = "An SVG of goodput and p99 against the load.")
    private @Nullable Path picture;

    /// Points of each executor, by the headings of panels.
    private final Map<String, Map<String, List<double[]>>> goodputs = new LinkedHashMap<>();

    private final Map<String, Map<String, List<double[]>>> tails = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin.of(spec, "").print(System.out);
        List<String> executors = quick
                ? flags.executors().subList(0, Math.min(2, flags.executors().size()))
                : flags.executors();
        System.out.printf(EXPLANATION, connections, seconds(), scanLength, flags.durability());
        MarkdownTable table = new MarkdownTable(
                System.out,
                ("workload,executor,times capacity,offered/s,sent/s,goodput/s,of peak,503/s,other errors,broken,not"
                                + " sent,accepted: service p50 ms,p99 ms,p99 to that at the least load,response p99 ms,"
                                + "503: service p99 ms,max ms,normal after s,generator")
                        .split(","));
        try (Workbench bench = Workbench.open()) {
            List<String> core = Cores.split(bench, 1);
            for (int round = 0; round < rounds; round++) {
                for (String executor : executors) {
                    try (Node node = Node.start(
                            bench, executor + round, flags.start(executor).prefixed(core))) {
                        flags.fill(node);
                        for (String workload : workloads) {
                            warmUp(node, workload);
                            measure(node, executor, workload, table);
                        }
                    }
                }
            }
        }
        if (picture != null) {
            Files.writeString(picture, picture());
        }
        return 0;
    }

    private double seconds() {
        return quick ? Math.min(1, flags.seconds()) : flags.seconds();
    }

    private LoadPlan plan(Node node, String workload, int count, double rate, double warmUp) {
        return flags.plan(node.target(), workload, count, scanLength)
                .with(p -> p.pace = Generator.pace(rate, warmUp, seconds()));
    }

    private void warmUp(Node node, String workload) {
        double seconds = quick ? seconds() : FIRST_WARM_UP_SECONDS;
        Generator.run(node, plan(node, workload, FILLING, 0, 0).with(p -> p.pace = Generator.pace(0, 0, seconds)));
    }

    private void measure(Node node, String executor, String workload, MarkdownTable table) throws InterruptedException {
        Measured peak = PEAK_CONNECTIONS.stream()
                .map(count -> Generator.run(node, plan(node, workload, count, 0, flags.warmUp())))
                .max(Comparator.comparingDouble(Measured::goodput))
                .orElseThrow();
        row(table, workload, executor, "peak", peak, peak, Double.NaN, "-");
        double usual = Double.NaN;
        for (double factor : factors) {
            // No warm-up where it would overload: its requests would still wait, and be served instead of those that
            // count.
            double warmUp = factor < 1 ? flags.warmUp() : 0;
            double rate = Math.max(1, peak.goodput() * factor);
            try (Probe probe = Probe.start(node.target(), probePath(workload))) {
                Measured load = Generator.run(node, plan(node, workload, connections, rate, warmUp));
                double p99 = Measured.millis(load.result().totals().acceptedService(), 99);
                usual = Double.isNaN(usual) ? p99 : usual;
                Instant end = load.result()
                        .startedAt()
                        .plus(load.result().plan().pace().duration());
                double within = Double.isNaN(usual) ? NORMAL_MILLIS : Math.max(NORMAL_MILLIS, 3 * usual);
                String normal = factor <= 1 ? "-" : probe.normalAfter(end, within, WATCHED_SECONDS);
                row(table, workload, executor, shown(factor), load, peak, usual, normal);
                point(goodputs, workload + ": goodput", executor, factor, load.goodput() / peak.goodput());
                point(tails, workload + ": p99 of accepted requests", executor, factor, p99);
            }
        }
    }

    private static void point(
            Map<String, Map<String, List<double[]>>> panels, String heading, String executor, double x, double y) {
        if (y >= 0) { // and not NaN, as where nothing was accepted
            panels.computeIfAbsent(heading, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(executor, _ -> new ArrayList<>())
                    .add(new double[] {x, y});
        }
    }

    private String picture() {
        Scale across = Scale.powers(factors.getFirst(), factors.getLast())
                .withTicks(factors.stream().filter(factor -> factor >= 1).toList());
        List<Chart.Panel> panels = new ArrayList<>();
        goodputs.forEach((heading, curves) -> {
            Scale up = Scale.linear(0, Math.max(1.2, values(curves).max().orElse(0)))
                    .withTicks(List.of(0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2));
            panels.add(new Chart.Panel(heading + ", 2xx to the peak", across, "times capacity", up, curves));
        });
        tails.forEach((heading, curves) -> {
            Scale up = Scale.decades(
                    values(curves).min().orElse(1), values(curves).max().orElse(1));
            panels.add(new Chart.Panel(heading + ", service time, ms", across, "times capacity", up, curves));
        });
        return new Chart("Goodput and p99 of accepted requests against the offered load", panels).svg();
    }

    private static DoubleStream values(Map<String, List<double[]>> curves) {
        return curves.values().stream().flatMap(List::stream).mapToDouble(point -> point[1]);
    }

    private static String shown(double factor) {
        return factor == Math.rint(factor) ? Long.toString((long) factor) : Double.toString(factor);
    }

    private static String probePath(String workload) {
        return workload.equals("scan") ? "/v0/entities?start=" + KEY + "&limit=10" : "/v0/entity?id=" + KEY;
    }

    /// @param usual p99 of service times at the least load
    private void row(
            MarkdownTable table,
            String workload,
            String executor,
            String factor,
            Measured load,
            Measured peak,
            double usual,
            String normal) {
        PhaseTotals totals = load.result().totals();
        boolean closed = load.result().plan().pace().isClosed();
        double p99 = Measured.millis(totals.acceptedService(), 99);
        table.row(
                workload,
                executor,
                factor,
                closed ? "closed loop" : number("%.0f", load.counts().due() / seconds()),
                number("%.0f", load.counts().sentCount() / load.seconds()),
                number("%.0f", load.goodput()),
                number("%.2f", load.goodput() / peak.goodput()),
                number("%.0f", load.refused() / load.seconds()),
                load.other(),
                load.broken(),
                load.late(),
                closed ? "-" : ms(Measured.millis(totals.acceptedService(), 50)),
                ms(p99),
                number("%.1f", p99 / usual),
                closed ? "-" : ms(Measured.millis(totals.acceptedResponse(), 99)),
                ms(Measured.millis(totals.refused(), 99)),
                ms(Measured.millis(totals.refused(), 100)),
                normal,
                load.generator());
    }

    private static String ms(double millis) {
        return number("%.2f", millis);
    }

    private static String number(String format, double value) {
        return MarkdownTable.number(format, value);
    }
}
