package kvant.bench.overload;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Rounds;
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
                Rounds<Measured> runs = new Rounds<>();
                for (int round = 0; round < rounds; round++) {
                    nodes.forEach((executor, node) -> runs.add(executor, load(node, count)));
                }
                for (String executor : runs.names()) {
                    row(table, count, executor, runs);
                }
            }
        }
        return 0;
    }

    private Measured load(Node node, int count) {
        return Generator.run(
                node, flags.plan(node.target(), "scan", count, scanLength).with(p -> p.pace = flags.pace(0)));
    }

    private static void row(MarkdownTable table, int count, String executor, Rounds<Measured> runs) {
        table.row(
                count,
                executor,
                runs.cell("%.0f", executor, Measured::goodput),
                runs.toLeastOther(executor, run -> -run.goodput()).text(),
                runs.cell("%.1f", executor, Measured::cpuMicros),
                runs.toLeastOther(executor, Measured::cpuMicros).text(),
                runs.cell("%.2f", executor, run -> run.millis(50)),
                runs.cell("%.2f", executor, ExecutorsBench::p99),
                runs.toLeastOther(executor, ExecutorsBench::p99).text(),
                runs.of(executor).stream().mapToLong(Measured::refused).sum(),
                runs.of(executor).stream()
                        .mapToLong(run -> run.other() + run.broken())
                        .sum());
    }

    private static double p99(Measured run) {
        return run.millis(99);
    }
}
