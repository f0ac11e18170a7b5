package kvant.bench.node;

import static kvant.bench.process.LoadMeasurement.millis;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import kvant.archive.ArchiveRestore;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.archive.ArchiveRestore.Restored;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;
import kvant.bench.figures.Ratio;
import kvant.bench.figures.Rounds;
import kvant.bench.process.Generator;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LocalStore;
import kvant.cli.engine.TargetPlace;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.feed.ChangeSource;
import kvant.lab.process.Workbench;
import kvant.lab.run.ServedNode;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench archive`: what an archive in a directory loses, costs and holds.
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        description = "What an archive loses when its node is gone, what it costs, and how fast a restore is.")
public final class ArchiveBench implements Callable<Integer> {

    enum Part {
        /// SIGKILL of a node under load; its data directory counts as gone.
        LOSS,
        /// Puts with and without an archive, in turn.
        COST,
        /// Objects and bytes at some rates.
        SIZE,
        /// A restore of what was put at the highest of these rates.
        RESTORE
    }

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double MEGABYTE = 1e6;
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final long KEYS = 100_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--parts", split = ",", description = "Of loss, cost, size, restore (default: ${DEFAULT-VALUE}).")
    private List<Part> parts = List.of(Part.values());

    @Option(names = "--trials", description = "Killed nodes for each interval (default: ${DEFAULT-VALUE}).")
    private int trials = 25;

    @Option(names = "--intervals", split = ",", description = "Seconds (default: ${DEFAULT-VALUE}).")
    private List<Double> intervals = List.of(1.0, 0.2);

    @Option(names = "--rate", description = "Puts a second for loss and cost (default: ${DEFAULT-VALUE}).")
    private double rate = 5_000;

    @Option(names = "--rounds", description = "Rounds of the cost (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", description = "Of each measurement (default: ${DEFAULT-VALUE}).")
    private double seconds = 10;

    @Option(names = "--warmup", description = "Seconds before each measurement (default: ${DEFAULT-VALUE}).")
    private double warmUp = 5;

    @Option(names = "--rates", split = ",", description = "Puts a second for the size (default: ${DEFAULT-VALUE}).")
    private List<Double> rates = List.of(100.0, 1_000.0, 5_000.0);

    @Option(names = "--value-bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(names = "--connections", description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections = 32;

    @Option(names = "--seed", description = "Of the moments of the kills (default: ${DEFAULT-VALUE}).")
    private long seed = 47;

    /// @param writes that the lost directory has and the archive does not
    /// @param seconds from the last write that was restored to the kill
    /// @param rate puts a second that the node took
    private record Loss(double writes, double seconds, double rate) {}

    private record Cost(double cpuMicros, double p50Millis, double p99Millis) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Origin.of(spec, "").print(System.out);
        System.out.printf("Values of %d bytes, %d connections, --durability always.%n%n", valueBytes, connections);
        if (parts.contains(Part.LOSS)) {
            loss();
        }
        if (parts.contains(Part.COST)) {
            cost();
        }
        if (parts.contains(Part.SIZE)) {
            size();
        }
        if (parts.contains(Part.RESTORE)) {
            restore();
        }
        return 0;
    }

    private void loss() throws IOException, InterruptedException {
        MarkdownTable table = new MarkdownTable(
                System.out,
                "--archive-interval",
                "trials",
                "seconds lost, median (least to most)",
                "writes lost, median (least to most)",
                "puts a second, median (least to most)");
        Random random = new Random(seed);
        for (double interval : intervals) {
            List<Loss> losses = new ArrayList<>();
            for (int trial = 1; trial <= trials; trial++) {
                losses.add(lossOf(interval, random));
                System.err.printf("interval %s s, trial %d of %d: %s%n", interval, trial, trials, losses.getLast());
            }
            table.row(
                    interval + " s",
                    trials,
                    spread("%.2f", losses.stream().map(Loss::seconds).toList()),
                    spread("%.0f", losses.stream().map(Loss::writes).toList()),
                    spread("%.0f", losses.stream().map(Loss::rate).toList()));
        }
        System.out.println();
    }

    private static String spread(String format, List<Double> values) {
        Ratio all = Ratio.of(values);
        return String.format(
                Locale.ROOT, format + " (" + format + " to " + format + ")", all.median(), all.least(), all.most());
    }

    /// The load runs on while the node dies: what fails then is not counted.
    private Loss lossOf(double interval, Random random) throws IOException, InterruptedException {
        try (Workbench bench = Workbench.open()) {
            Path target = bench.folder().resolve("archive");
            ServedNode node = start(bench, interval, target);
            long beganMillis = System.currentTimeMillis();
            Thread load = Thread.startVirtualThread(() -> run(node, rate, 60));
            awaitBase(node);
            Thread.sleep((long) (MILLIS_PER_SECOND * (2 + random.nextDouble())));
            long killedMillis = System.currentTimeMillis();
            node.kill();
            load.join();
            Restored restored = restore(target, bench.folder().resolve("restored"));
            try (LocalEngine gone = LocalStore.open(
                    EngineKind.LSM, node.data(), Durability.NONE)) { // what the machine would have taken with it
                double has = ((ChangeSource) gone).changes().visible();
                return new Loss(
                        has - restored.version(),
                        (killedMillis - restored.millis()) / MILLIS_PER_SECOND,
                        MILLIS_PER_SECOND * has / (killedMillis - beganMillis));
            }
        }
    }

    private void cost() throws IOException {
        Rounds<Cost> turns = new Rounds<>();
        for (int round = 1; round <= rounds; round++) {
            for (int turn = 0; turn < 2; turn++) {
                boolean archived = (round + turn) % 2 == 0; // which one is first changes
                System.err.printf("cost, round %d of %d: %s%n", round, rounds, archived ? "archived" : "alone");
                turns.add(archived ? "archived" : "alone", costOf(archived));
            }
        }
        MarkdownTable table = new MarkdownTable(
                System.out, "puts at " + rate + "/s", "alone", "archived", "ratio of " + rounds + " rounds");
        row(table, "CPU of the node, µs a put", turns, Cost::cpuMicros);
        row(table, "p50, ms", turns, Cost::p50Millis);
        row(table, "p99, ms", turns, Cost::p99Millis);
        System.out.println();
    }

    private static void row(MarkdownTable table, String what, Rounds<Cost> turns, ToDoubleFunction<Cost> figure) {
        table.row(
                what,
                turns.cell("%.2f", "alone", figure),
                turns.cell("%.2f", "archived", figure),
                turns.ratio("archived", "alone", figure).text());
    }

    private Cost costOf(boolean archived) throws IOException {
        try (Workbench bench = Workbench.open()) {
            ServedNode node = start(bench, 1, archived ? bench.folder().resolve("archive") : null);
            run(node, rate, warmUp);
            long before = node.cpuNanos();
            RunResult result = run(node, rate, seconds);
            double puts = result.totals().response().getTotalCount();
            return new Cost(
                    (node.cpuNanos() - before) / NANOS_PER_MICRO / puts,
                    millis(result.totals().response(), 50),
                    millis(result.totals().response(), 99));
        }
    }

    private void size() throws IOException {
        MarkdownTable table = new MarkdownTable(
                System.out, "puts a second", "objects put an hour", "MB put an hour", "objects left after this run");
        for (double each : rates) {
            try (Workbench bench = Workbench.open()) {
                Path target = bench.folder().resolve("archive");
                ServedNode node = start(bench, 1, target);
                run(node, each, seconds);
                double factor = SECONDS_PER_HOUR / seconds;
                table.row(
                        each,
                        MarkdownTable.number("%.0f", factor * figure(node, "kvant_archive_objects_total")),
                        MarkdownTable.number("%.0f", factor * figure(node, "kvant_archive_bytes_total") / MEGABYTE),
                        Objects.requireNonNull(target.resolve("log").toFile().list()).length);
            }
        }
        System.out.printf("%nExtrapolated from %.0f s.%n%n", seconds);
    }

    private void restore() throws IOException {
        try (Workbench bench = Workbench.open()) {
            Path target = bench.folder().resolve("archive");
            ServedNode node = start(bench, 1, target);
            Generator.fill(plan(node));
            node.close();
            long beganNanos = System.nanoTime();
            Restored restored = restore(target, bench.folder().resolve("restored"));
            double took = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
            double bytes = restored.base().bytes() + restored.bytes();
            System.out.printf(
                    "Restore of %.1f MB, %.1f MB of them changes: %.1f s, **%.1f MB/s**.%n",
                    bytes / MEGABYTE, restored.bytes() / MEGABYTE, took, bytes / MEGABYTE / took);
        }
    }

    private static double figure(ServedNode node, String name) throws IOException {
        try (InputStream in = URI.create(node.url() + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .sum();
        }
    }

    private static Restored restore(Path archive, Path to) throws IOException {
        TargetPlace place = new TargetPlace(archive.toString(), null, false);
        Function<Path, LocalEngine> opener = data -> LocalStore.open(EngineKind.LSM, data, Durability.NONE);
        return new ArchiveRestore(place, to, opener, _ -> {}).run(new RestorePoint.Latest(), 0);
    }

    /// @param archive null for none
    private static ServedNode start(Workbench bench, double interval, @Nullable Path archive) throws IOException {
        ServedNode.Start how = ServedNode.Start.of("--warm-up", "0");
        return ServedNode.start(
                bench,
                "node",
                archive == null
                        ? how
                        : how.with(List.of("--archive", archive.toString(), "--archive-interval", "" + interval)));
    }

    private LoadPlan plan(ServedNode node) {
        return Generator.plan(node.target(), "put", KEYS, valueBytes, connections);
    }

    private RunResult run(ServedNode node, double perSecond, double lasting) {
        return Generator.run(plan(node).with(p -> p.pace = Generator.pace(perSecond, 0, lasting)));
    }

    /// Without a base nothing can be restored.
    private static void awaitBase(ServedNode node) throws IOException, InterruptedException {
        while (figure(node, "kvant_archive_bases_total") == 0) {
            Thread.sleep(50);
        }
    }
}
