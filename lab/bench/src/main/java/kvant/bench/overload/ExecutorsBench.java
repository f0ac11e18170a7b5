package kvant.bench.overload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Generator;
import kvant.bench.process.Measured;
import kvant.bench.process.Node;
import kvant.bench.process.NodeFlags;
import kvant.bench.process.Workbench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench executors`: short ranges of a store in memory on each executor, over few and many connections. A node
/// for each executor; one of them is loaded at a time, in turn.
@Command(
        name = "executors",
        mixinStandardHelpOptions = true,
        description = "Compare the executors by short ranges from memory, interleaved, as ratios.")
public final class ExecutorsBench implements Callable<Integer> {

    private static final String EXPLANATION = """
            Closed loop, ranges of 1 to %d of %d records of %d bytes, %s s each, %d rounds in turn; node and generator \
            share the machine. Ratios are of one round, to the best other executor of that round: the highest \
            throughput, the lowest CPU time, the lowest p99; median (least to most of the rounds).

            """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodeFlags flags = new NodeFlags();

    @Option(names = "--connections", split = ",", description = "Of each load (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of(1, 8, 64, 256);

    @Option(names = "--scan-length", description = "Most records of a range (default: ${DEFAULT-VALUE}).")
    private int scanLength = 9;

    @Option(names = "--rounds", description = "How often (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Override
    public Integer call() throws IOException {
        Origin.of(spec, "").print(System.out);
        System.out.printf(EXPLANATION, scanLength, flags.keys(), flags.valueBytes(), flags.seconds(), rounds);
        Map<String, Node> nodes = new LinkedHashMap<>();
        try (Workbench bench = Workbench.open()) {
            for (String executor : flags.executors()) {
                Node node = Node.start(bench, executor, flags.start(executor));
                nodes.put(executor, node);
                flags.fill(node);
                load(node, 64);
            }
            MarkdownTable table = new MarkdownTable(
                    System.out,
                    "connections",
                    "executor",
                    "answers/s",
                    "to the best other",
                    "CPU us",
                    "to the best other",
                    "p50 ms",
                    "p99 ms",
                    "to the best other",
                    "refused",
                    "other errors");
            for (int count : connections) {
                Map<String, List<Measured>> runs = new LinkedHashMap<>();
                for (int round = 0; round < rounds; round++) {
                    nodes.forEach((executor, node) -> runs.computeIfAbsent(executor, _ -> new ArrayList<>())
                            .add(load(node, count)));
                }
                runs.forEach((executor, own) -> row(table, count, executor, own, runs));
            }
        }
        return 0;
    }

    private Measured load(Node node, int count) {
        return Generator.run(
                node, flags.plan(node.target(), "scan", count, scanLength).with(p -> p.pace = flags.pace(0)));
    }

    private static void row(
            MarkdownTable table, int count, String executor, List<Measured> own, Map<String, List<Measured>> runs) {
        table.row(
                count,
                executor,
                cell("%.0f", Ratio.median(own, Measured::goodput)),
                toBestOther(own, runs, run -> -run.goodput()),
                cell("%.1f", Ratio.median(own, Measured::cpuMicros)),
                toBestOther(own, runs, Measured::cpuMicros),
                cell("%.2f", Ratio.median(own, run -> run.millis(50))),
                cell("%.2f", Ratio.median(own, ExecutorsBench::p99)),
                toBestOther(own, runs, ExecutorsBench::p99),
                own.stream().mapToLong(Measured::refused).sum(),
                own.stream().mapToLong(run -> run.other() + run.broken()).sum());
    }

    /// @param figure of which the least is the best
    private static String toBestOther(
            List<Measured> own, Map<String, List<Measured>> runs, ToDoubleFunction<Measured> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < own.size(); round++) {
            int of = round;
            double best = runs.values().stream()
                    .filter(others -> others != own)
                    .mapToDouble(others -> figure.applyAsDouble(others.get(of)))
                    .min()
                    .orElse(Double.NaN);
            ratios.add(figure.applyAsDouble(own.get(of)) / best);
        }
        return Ratio.of(ratios).text();
    }

    private static double p99(Measured run) {
        return run.millis(99);
    }

    private static String cell(String format, double value) {
        return MarkdownTable.number(format, value);
    }
}
