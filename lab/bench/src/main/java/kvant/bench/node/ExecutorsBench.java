package kvant.bench.node;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.LoadMeasurement;
import kvant.bench.process.Node;
import kvant.bench.process.Workbench;
import kvant.load.plan.LoadPlan;
import picocli.CommandLine.Command;
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

    private static final int FILLING = 64;
    private static final String EXPLANATION = """
            Closed loop, ranges of 1 to %d of %d records of %d bytes, %s s each, %d rounds in turn; node and generator \
            share the machine. Ratios are of one round, to the best other executor of that round: the highest \
            throughput, the lowest CPU time, the lowest p99; median (least to most of the rounds).

            """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--executors", split = ",", description = "Of 'kvant serve' (default: ${DEFAULT-VALUE}).")
    private List<String> executors = List.of("adaptive", "sync", "async", "virtual");

    @Option(names = "--node-options", description = "More options of 'kvant serve', as one word: '--workers 1'.")
    private String nodeOptions = "";

    @Option(
            names = "--prefix",
            description = "Words before those that start a node, as one word; they must end in an exec.")
    private String prefix = "";

    @Option(names = "--jvm", description = "Options of a node's JVM, as one word.")
    private String jvm = "";

    @Option(names = "--durability", description = "none, always, or a time (default: ${DEFAULT-VALUE}).")
    private String durability = "always";

    @Option(names = "--keys", description = "Keys in the store (default: ${DEFAULT-VALUE}).")
    private long keys = 100_000;

    @Option(names = "--value-bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 30;

    @Option(names = "--seconds", description = "Measured time of each load (default: ${DEFAULT-VALUE}).")
    private double seconds = 8;

    @Option(names = "--warmup", description = "Seconds before them (default: ${DEFAULT-VALUE}).")
    private double warmUp = 2;

    @Option(names = "--connections", split = ",", description = "Of each load (default: ${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of(1, 8, 64, 256);

    @Option(names = "--scan-length", description = "Most records of a range (default: ${DEFAULT-VALUE}).")
    private int scanLength = 9;

    @Option(names = "--rounds", description = "How often (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Override
    public Integer call() throws IOException {
        Origin.of(spec, "").print(System.out);
        System.out.printf(EXPLANATION, scanLength, keys, valueBytes, seconds, rounds);
        Map<String, Node> nodes = new LinkedHashMap<>();
        try (Workbench bench = Workbench.open()) {
            for (String executor : executors) {
                Node node = Node.start(bench, executor, start(executor));
                nodes.put(executor, node);
                Generator.fill(Generator.plan(node.target(), "get", keys, valueBytes, FILLING));
                load(node, FILLING);
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
                Rounds<LoadMeasurement> runs = new Rounds<>();
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

    private Node.Start start(String executor) {
        return Node.Start.of("--executor", executor, "--durability", durability)
                .with(KvantProgram.split(nodeOptions))
                .withJvm(KvantProgram.split(jvm))
                .prefixed(KvantProgram.split(prefix));
    }

    private LoadMeasurement load(Node node, int count) {
        LoadPlan plan = Generator.scans(node.target(), keys, valueBytes, count, scanLength)
                .with(p -> p.pace = Generator.pace(0, warmUp, seconds));
        return Generator.run(node, plan);
    }

    private static void row(MarkdownTable table, int count, String executor, Rounds<LoadMeasurement> runs) {
        table.row(
                count,
                executor,
                runs.cell("%.0f", executor, LoadMeasurement::goodput),
                runs.toLeastOther(executor, run -> -run.goodput()).text(),
                runs.cell("%.1f", executor, LoadMeasurement::cpuMicros),
                runs.toLeastOther(executor, LoadMeasurement::cpuMicros).text(),
                runs.cell("%.2f", executor, run -> run.millis(50)),
                runs.cell("%.2f", executor, ExecutorsBench::p99),
                runs.toLeastOther(executor, ExecutorsBench::p99).text(),
                runs.of(executor).stream().mapToLong(LoadMeasurement::refused).sum(),
                runs.of(executor).stream()
                        .mapToLong(run -> run.other() + run.broken())
                        .sum());
    }

    private static double p99(LoadMeasurement run) {
        return run.millis(99);
    }
}
