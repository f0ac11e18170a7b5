package kvant.bench.engine;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.process.Workbench;
import kvant.engine.Durability;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.text.command.SizeOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant bench compact`: a full compaction of the LSM engine under puts that come at a fixed rate, whatever happens,
/// beside the same puts without one. What counts is how much later the slowest of a thousand puts is answered, and how
/// many runs level 0 has meanwhile.
@Command(
        name = "compact",
        mixinStandardHelpOptions = true,
        description = "Measure puts at a fixed rate beside a full compaction, and without one.")
public final class CompactBench implements Callable<Integer> {

    /// Of values that are under way while the store is filled; less than the queue of writes holds.
    private static final int FILL_BYTES = 16 << 20;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--size",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Data in the store (default: 512MiB; 8MiB with --quick).")
    private long size;

    @Option(names = "--value", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(names = "--rate", description = "Puts a second (default: ${DEFAULT-VALUE}).")
    private int rate = 5_000;

    @Option(
            names = "--seconds",
            description = "How long puts go on without a compaction (default: 20; 1 with --quick).")
    private double seconds;

    @Option(names = "--durability", description = "always, interval=MS or none (default: ${DEFAULT-VALUE}).")
    private String durability = "always";

    @Option(
            names = "--memtable",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Size of a memtable (default: the engine's; 256KiB with --quick).")
    private long memtable;

    @Option(names = "--unpaced", description = "Merges do not give way to requests.")
    private boolean unpaced;

    @Option(names = "--quick", description = "A few seconds: little data.")
    private boolean quick;

    @Override
    public Integer call() throws IOException {
        if (valueBytes < 0) {
            throw new ParameterException(spec.commandLine(), "--value: a value has at least 0 bytes");
        }
        size = size > 0 ? size : quick ? 8 << 20 : 512 << 20;
        seconds = seconds > 0 ? seconds : quick ? 1 : 20;
        memtable = memtable > 0
                ? memtable
                : quick ? 256 << 10 : LsmOptions.defaults().memtableBytes();
        long keys = Math.max(1, size / (Keys.BYTES + valueBytes));
        try (Workbench bench = Workbench.open()) {
            Path store = bench.folder().resolve("store");
            fill(store, keys);
            System.out.printf(
                    Locale.ROOT,
                    "%d keys of %d bytes, values of %d bytes, %.2f GB; %d puts a second, %s%n%n",
                    keys,
                    Keys.BYTES,
                    valueBytes,
                    size / 1e9,
                    rate,
                    durability);
            try (LsmEngine engine = LsmEngine.open(store, options(Durability.parse(durability)))) {
                measure(engine, keys);
            }
        }
        return 0;
    }

    private LsmOptions options(Durability policy) {
        LsmOptions options = LsmOptions.defaults().withDurability(policy).withMemtable(memtable);
        return unpaced
                ? options.with(
                        o -> o.compaction = new CompactionOptions(o.compaction.picker(), o.compaction.threads(), 0))
                : options;
    }

    private int writesUnderWay() {
        return Math.clamp(FILL_BYTES / (valueBytes + 1), 16, KvantContender.WINDOW);
    }

    /// In random order, so that every level overlaps the next.
    private void fill(Path store, long keys) {
        byte[] value = new byte[valueBytes];
        RandomGenerator random = Dataset.newRandom();
        try (KvantContender contender =
                KvantContender.open(store, KvantContender.patient(options(Durability.NONE)), writesUnderWay())) {
            for (long i = 0; i < keys + keys / 2; i++) {
                random.nextBytes(value);
                contender.put(Keys.key(i < keys ? i : random.nextLong(keys)), value.clone());
            }
            contender.rest();
        }
    }

    private void measure(LsmEngine engine, long keys) {
        MarkdownTable table = new MarkdownTable(
                System.out, "puts", "seconds", "answered /s", "p50 ms", "p99 ms", "p99.9 ms", "most runs of level 0");
        long endNanos = System.nanoTime() + (long) (seconds * 1e9);
        PacedPuts alone = new PacedPuts(engine, rate, keys, valueBytes);
        alone.run(() -> System.nanoTime() - endNanos >= 0);
        alone.show(table, "alone");
        CompletableFuture<Void> compaction = CompletableFuture.runAsync(
                () -> requireNonNull(engine.maintenance()).compact(_ -> {}));
        PacedPuts beside = new PacedPuts(engine, rate, keys, valueBytes);
        beside.run(compaction::isDone);
        beside.show(table, "beside a full compaction");
        compaction.join();
        System.out.printf(
                Locale.ROOT,
                "%np99.9 beside a full compaction is %.2f times that without (goal: at most 3); level 0 had at most"
                        + " %d runs, and writes slow down at %d (goal: below).%n",
                beside.tailNanos() / alone.tailNanos(),
                beside.mostRuns(),
                LsmOptions.defaults().throttle().slowRuns());
    }
}
