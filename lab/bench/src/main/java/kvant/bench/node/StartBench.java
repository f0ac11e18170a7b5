package kvant.bench.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.bench.process.LoadMeasurement;
import kvant.bench.process.PageCache;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench start`: compares the first seconds of a node with later ones, with different JVM caches and warm-ups.
///
/// Every round starts each variant once on an empty store, or on a filled one that is not in the page cache. It sends
/// requests at the rate from readiness on, continues for a while, and measures again. Then a second node of the same
/// variant runs in a closed loop, for the rate of its first seconds.
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "The first seconds of a node versus later ones, by cache and warm-up of the JVM.")
public final class StartBench implements Callable<Integer> {

    private static final String NONE = "none";
    private static final double NANOS_PER_MILLI = 1e6;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--caches",
            split = ",",
            description = "Files of -XX:AOTCache, or none (default: the one of this build, and none).")
    private List<String> caches = List.of();

    @Option(
            names = "--warm-ups",
            split = ",",
            description = "Values of 'kvant serve --warm-up' (default: ${DEFAULT-VALUE}).")
    private List<Integer> warmUps = List.of(0, 4);

    @Option(names = "--rounds", description = "Starts of each (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--rate", description = "Requests a second (default: ${DEFAULT-VALUE}).")
    private double rate = 20_000;

    @Option(names = "--workload", description = "Of 'kvant load' (default: ${DEFAULT-VALUE}).")
    private String workload = "put";

    @Option(names = "--connections", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections = 64;

    @Option(names = "--between", description = "Seconds of load between the two (default: ${DEFAULT-VALUE}).")
    private double between = 30;

    @Option(names = "--first", description = "The first seconds (default: ${DEFAULT-VALUE}).")
    private double firstSeconds = 5;

    @Option(names = "--later", description = "Seconds of the later ones (default: ${DEFAULT-VALUE}).")
    private double laterSeconds = 10;

    @Option(names = "--closed", description = "First and later seconds of a closed loop (default: ${DEFAULT-VALUE}).")
    private double closed = 2;

    @Option(names = "--keys", description = "Keys of the load (default: ${DEFAULT-VALUE}).")
    private long keys = 10_000;

    @Option(names = "--value-bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 30;

    @Option(
            names = "--restart",
            description = "Every start is one on a store with all these keys, of which nothing is in memory:"
                    + " --keys 1000000 --value-bytes 1000 is 1 GB.")
    private boolean restart;

    /// A way of starting nodes.
    private record Variant(String cache, int warmUpSeconds) {

        private String cacheName() {
            return cache.equals(NONE) ? NONE : String.valueOf(Path.of(cache).getFileName());
        }
    }

    /// The figures of one start.
    ///
    /// @param firstRate answers per second of a closed loop in its first seconds
    private record Start(
            double readyMillis, double firstP99Millis, double laterP99Millis, double firstRate, double laterRate) {}

    @Override
    public Integer call() throws IOException {
        Origin.of(spec, "").print(System.out);
        Rounds<Start> starts = new Rounds<>();
        List<Variant> variants = variants();
        try (Workbench bench = Workbench.open()) {
            Path filled = bench.folder().resolve("filled.data");
            if (restart) {
                fill(bench, filled);
            }
            start(variants.getFirst(), filled); // does not count: the generator is cold, too
            for (int round = 1; round <= rounds; round++) {
                for (Variant variant : variants) {
                    System.err.printf("round %d of %d: %s%n", round, rounds, variant);
                    starts.add(variant.toString(), start(variant, filled));
                }
            }
        }
        print(starts, variants);
        return 0;
    }

    private void print(Rounds<Start> starts, List<Variant> variants) {
        System.out.printf(
                "'%s' from the moment a node is ready; %.0f/s for the percentiles, %d connections, values of %d bytes,"
                        + " %s, %.0f s between first and later; medians of %d starts%n%n",
                workload,
                rate,
                connections,
                valueBytes,
                restart ? "each on a store with " + keys + " keys, nothing of it in memory" : "each on an empty store",
                between,
                rounds);
        MarkdownTable table = new MarkdownTable(
                System.out,
                "cache",
                "warm-up at most, s",
                "ready, ms",
                "p99 of the first %s s, ms".formatted(MarkdownTable.number("%.1f", firstSeconds)),
                "p99 later, ms",
                "ratio",
                "closed loop: rate of the first %s s to later".formatted(MarkdownTable.number("%.1f", closed)));
        for (Variant variant : variants) {
            String name = variant.toString();
            table.row(
                    variant.cacheName(),
                    variant.warmUpSeconds(),
                    starts.cell("%.0f", name, Start::readyMillis),
                    starts.cell("%.1f", name, Start::firstP99Millis),
                    starts.cell("%.1f", name, Start::laterP99Millis),
                    Ratio.of(starts.of(name), starts.of(name), Start::firstP99Millis, Start::laterP99Millis)
                            .text(),
                    Ratio.of(starts.of(name), starts.of(name), Start::firstRate, Start::laterRate)
                            .text());
        }
    }

    private void fill(Workbench bench, Path data) throws IOException {
        try (ServedNode node =
                ServedNode.start(bench, data, ServedNode.Start.of("--durability", "none", "--warm-up", "0"))) {
            Generator.fill(plan(node, 0, 1));
        }
    }

    private List<Variant> variants() {
        return caches().stream()
                .flatMap(cache -> warmUps.stream().map(seconds -> new Variant(cache, seconds)))
                .toList();
    }

    private List<String> caches() {
        if (!caches.isEmpty()) {
            return caches;
        }
        Path own = Path.of(System.getProperty("kvant.root", "."), "cli/target/dist/kvant.aot");
        if (!Files.exists(own)) {
            throw new UserException("there is no " + own + ": './kvant version' makes it; or name others by --caches");
        }
        return List.of(own.toString(), NONE);
    }

    private Start start(Variant variant, Path filled) throws IOException {
        try (Workbench bench = Workbench.open()) {
            ServedNode.Start how = ServedNode.Start.of("--warm-up", Integer.toString(variant.warmUpSeconds()))
                    .withJvm(
                            variant.cache().equals(NONE)
                                    ? List.of("-XX:AOTMode=off")
                                    : List.of("-XX:AOTCache="
                                            + Path.of(variant.cache()).toAbsolutePath()));
            double readyMillis;
            RunResult first;
            RunResult later;
            forget(filled);
            try (ServedNode node = node(bench, "paced", filled, how)) {
                readyMillis = node.readyNanos() / NANOS_PER_MILLI;
                first = Generator.run(plan(node, rate, firstSeconds));
                if (between > 0) {
                    Generator.run(plan(node, rate, between));
                }
                later = Generator.run(plan(node, rate, laterSeconds));
            }
            forget(filled);
            try (ServedNode node = node(bench, "closed", filled, how)) {
                double firstRate = Generator.run(plan(node, 0, closed)).achievedRate();
                Generator.run(plan(node, 0, between / 2 + closed));
                double laterRate = Generator.run(plan(node, 0, closed)).achievedRate();
                return new Start(readyMillis, p99(first), p99(later), firstRate, laterRate);
            }
        }
    }

    private void forget(Path filled) throws IOException {
        if (restart) {
            PageCache.forget(filled);
        }
    }

    private ServedNode node(Workbench bench, String name, Path filled, ServedNode.Start how) throws IOException {
        return restart ? ServedNode.start(bench, filled, how) : ServedNode.start(bench, name, how);
    }

    private LoadPlan plan(ServedNode node, double rate, double seconds) {
        return Generator.plan(node.target(), workload, keys, valueBytes, connections)
                .with(p -> p.pace = Generator.pace(rate, 0, seconds));
    }

    private static double p99(RunResult result) {
        return LoadMeasurement.millis(result.totals().response(), 99);
    }
}
