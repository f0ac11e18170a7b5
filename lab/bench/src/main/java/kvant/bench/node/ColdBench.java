package kvant.bench.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Generator;
import kvant.bench.process.Measured;
import kvant.bench.process.Node;
import kvant.bench.process.NodeFlags;
import kvant.bench.process.PageCache;
import kvant.bench.process.Workbench;
import kvant.load.plan.LoadPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench cold`: gets of keys in memory, alone and beside gets that miss the page cache. Not an experiment of
/// the laboratory, because it needs two loads at once and a node whose memory is bounded.
@Command(
        name = "cold",
        mixinStandardHelpOptions = true,
        description = "Gets from memory beside gets that have to wait for the disk.")
public final class ColdBench implements Callable<Integer> {

    private static final int HOT_KEYS = 1000;
    private static final int HOT_CONNECTIONS = 64;
    private static final int BESIDE_CONNECTIONS = 16;
    private static final double SETTLING_SECONDS = 4;
    private static final int MOST_SETTLING = 20;
    private static final double MARGIN_SECONDS = 2;
    private static final double KIB = 1024;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NodeFlags flags = new NodeFlags();

    @Option(names = "--cold-keys", description = "Keys of the store (default: ${DEFAULT-VALUE}).")
    private long coldKeys = 400_000;

    @Option(names = "--cold-bytes", description = "Bytes of each value (default: ${DEFAULT-VALUE}).")
    private int coldBytes = 4000;

    @Option(names = "--memory-mib", description = "Of a node, page cache included (default: ${DEFAULT-VALUE}).")
    private int memoryMib = 700;

    @Option(names = "--rate", description = "Requests a second in all (default: ${DEFAULT-VALUE}).")
    private double rate = 2000;

    @Option(names = "--cold-share", description = "Share of them that is beside (default: ${DEFAULT-VALUE}).")
    private double coldShare = 0.05;

    @Option(names = "--reads", description = "Reads a second that the disk gives; 0: all it can (default).")
    private int reads;

    @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin.of(spec, "").print(System.out);
        explain();
        MarkdownTable table = new MarkdownTable(
                System.out,
                ("executor,round,beside,hot gets/s,p50 ms,p99 ms,p99.9 ms,errors,gets beside: p50 ms,p99 ms,"
                                + "KiB from disk for each,generator")
                        .split(","));
        try (Workbench bench = Workbench.open()) {
            Path data = bench.folder().resolve("cold.data");
            fill(bench, data);
            for (int round = 0; round < rounds; round++) {
                List<String> order = new ArrayList<>(flags.executors());
                Collections.rotate(order, -round);
                for (String executor : order) {
                    PageCache.forget(data);
                    measure(bench, data, executor, round, table);
                }
            }
        }
        System.out.println("\np99 of the hot gets, beside cold gets to beside hot gets, over the rounds:\n");
        MarkdownTable summary = new MarkdownTable(System.out, "executor", "ratio");
        ratios.forEach(
                (executor, found) -> summary.row(executor, Ratio.of(found).text()));
        return 0;
    }

    private void explain() throws IOException {
        System.out.printf(
                "A store of %d MiB, a node with %d MiB of memory, page cache included. Hot gets: %.0f/s over %d"
                        + " connections, of %d keys. Beside them another generator asks for %.0f/s over %d connections:"
                        + " for hot keys, or for keys of the whole store. The disk gives %s reads%s. One event loop, %s"
                        + " s each after %s s. The kernel reads up to %d KiB ahead of a mapped page that is missing."
                        + " Goal: the ratio is at most 1.5 for `adaptive`, and more for `sync`.%n%n",
                coldKeys * coldBytes >> 20,
                memoryMib,
                rate * (1 - coldShare),
                HOT_CONNECTIONS,
                HOT_KEYS,
                rate * coldShare,
                BESIDE_CONNECTIONS,
                reads == 0 ? "all the" : Integer.toString(reads),
                reads == 0 ? " it can" : " a second",
                flags.seconds(),
                flags.warmUp(),
                readAheadKib());
    }

    private static int readAheadKib() throws IOException {
        int most = 0;
        Path blocks = Path.of("/sys/block");
        if (Files.isDirectory(blocks)) {
            try (Stream<Path> disks = Files.list(blocks)) {
                for (Path disk : disks.toList()) {
                    Path file = disk.resolve("queue/read_ahead_kb");
                    most = Files.exists(file)
                            ? Math.max(
                                    most,
                                    Integer.parseInt(Files.readString(file).strip()))
                            : most;
                }
            }
        }
        return most;
    }

    private void fill(Workbench bench, Path data) throws IOException {
        try (Node node = Node.start(bench, "fill", data, Node.Start.of("--durability", "none", "--warm-up", "0"))) {
            Generator.fill(Generator.plan(node.target(), "get", coldKeys, coldBytes, HOT_CONNECTIONS));
        }
    }

    private void measure(Workbench bench, Path data, String executor, int round, MarkdownTable table)
            throws IOException {
        Node.Start start =
                flags.start(executor).with(List.of("--event-loops", "1")).withJvm(List.of("-Xmx192m"));
        if (flags.hasPrefix()) {
            try (Node node = Node.start(bench, executor, data, start)) {
                measure(node, round, table);
            }
            return;
        }
        try (ControlGroup group = bench.keep(ControlGroup.make(memoryMib, reads, bench.folder()));
                Node node = Node.start(bench, executor, data, start.prefixed(group.prefix()))) {
            measure(node, round, table);
        }
    }

    private void measure(Node node, int round, MarkdownTable table) {
        LoadPlan hot = Generator.plan(node.target(), "get", HOT_KEYS, coldBytes, HOT_CONNECTIONS);
        double hotRate = rate * (1 - coldShare);
        settle(
                node,
                hot.with(p ->
                        p.pace = Generator.pace(hotRate, flags.warmUp(), Math.min(SETTLING_SECONDS, flags.seconds()))));
        double hotMillis = Double.NaN;
        double coldMillis = Double.NaN;
        for (boolean cold : new boolean[] {false, true}) {
            long keys = cold ? coldKeys : HOT_KEYS;
            LoadPlan other = Generator.plan(node.target(), "get", keys, coldBytes, BESIDE_CONNECTIONS)
                    .with(p -> {
                        p.seed = round + 2;
                        p.pace = Generator.pace(rate * coldShare, 0, flags.warmUp() + flags.seconds() + MARGIN_SECONDS);
                    });
            long before = node.usage().readBytes();
            Generator.Beside running = Generator.begin(other);
            Measured measured = Generator.run(
                    node, hot.with(p -> p.pace = Generator.pace(hotRate, flags.warmUp(), flags.seconds())));
            Measured besides = running.await();
            double read = (node.usage().readBytes() - before)
                    / KIB
                    / Math.max(1, besides.counts().sentCount());
            if (cold) {
                coldMillis = measured.millis(99);
            } else {
                hotMillis = measured.millis(99);
            }
            row(table, node.name(), round, cold ? "cold" : "hot", measured, besides, read);
        }
        ratios.computeIfAbsent(node.name(), _ -> new ArrayList<>()).add(coldMillis / hotMillis);
    }

    /// Until the hot keys come from memory: a slow disk needs some time.
    private static void settle(Node node, LoadPlan hot) {
        for (int i = 0; i < MOST_SETTLING; i++) {
            long before = node.usage().readBytes();
            Measured run = Generator.run(node, hot);
            if (run.counts().errors() == 0 && node.usage().readBytes() == before) {
                return;
            }
        }
    }

    private static void row(
            MarkdownTable table,
            String executor,
            int round,
            String beside,
            Measured hot,
            Measured other,
            double kibPerGet) {
        table.row(
                executor,
                round + 1,
                beside,
                String.format(Locale.ROOT, "%.0f", hot.goodput()),
                ms(hot.millis(50)),
                ms(hot.millis(99)),
                ms(hot.millis(99.9)),
                hot.counts().errors() + other.counts().errors(),
                ms(other.millis(50)),
                ms(other.millis(99)),
                String.format(Locale.ROOT, "%.1f", kibPerGet),
                hot.generator());
    }

    private static String ms(double millis) {
        return MarkdownTable.number("%.2f", millis);
    }
}
