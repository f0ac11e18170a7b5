package kvant.bench.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Rounds;
import kvant.lab.process.Workbench;
import kvant.text.Units;
import kvant.text.command.SizeOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench memory`: the LSM engine versus RocksDB on stores larger than memory. Each engine has a process in a
/// memory cgroup of its own, which counts heap, caches and the page cache of its files. Slices alternate.
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description =
                "Compare with RocksDB on stores larger than memory: gets and 90/10, in memory cgroups, as ratios.")
public final class MemoryBench implements Callable<Integer> {

    static final int VALUE_BYTES = 1000;
    private static final int WARM_UPS = 2;

    @Option(names = "--quick", description = "Two minutes: 250 MB in 192 MiB, shorter slices.")
    private boolean quick;

    @Option(
            names = "--memory",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Of each process with its page cache (default: 4GiB).")
    private long memoryBytes = 4L << 30;

    @Option(names = "--keys", paramLabel = "N", description = "Keys with values of 1,000 bytes (default: 20000000).")
    private long keys = 20_000_000;

    @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--slice", description = "Seconds of a slice (default: ${DEFAULT-VALUE}).")
    private double sliceSeconds = 5;

    /// One slice of one engine.
    ///
    /// @param p99 microseconds; 0 of a fill
    record Slice(double perSecond, double p99) {}

    @Override
    public Integer call() throws IOException {
        if (quick) {
            memoryBytes = 192L << 20;
            keys = 250_000;
            rounds = 3;
            sliceSeconds = 1;
        }
        try (Workbench bench = Workbench.open()) {
            System.out.printf(
                    "%,d keys, %.1f GB in %s for each engine; %d rounds of %.0f s, 2 threads, 10 %% puts without sync"
                            + " in 'mixed'; ratio of the same round: median (least to most)%n%n",
                    keys, keys * (Keys.BYTES + VALUE_BYTES) / 1e9, Units.bytes(memoryBytes), rounds, sliceSeconds);
            LimitedEngine kvant = fill(bench, "kvant");
            LimitedEngine rocksDb = fill(bench, "rocksdb");
            MarkdownTable table = new MarkdownTable(
                    System.out,
                    "work",
                    "kvant /s",
                    "rocksdbjni /s",
                    "ratio",
                    "p99 us",
                    "rocksdbjni p99 us",
                    "ratio of p99");
            for (String work : List.of("uniform", "zipfian", "mixed")) {
                compare(work, List.of(kvant, rocksDb), table);
            }
            return 0;
        }
    }

    private LimitedEngine fill(Workbench bench, String name) throws IOException {
        Path folder = bench.folder().resolve(name);
        LimitedEngine engine = bench.keep(LimitedEngine.start(name, folder, memoryBytes));
        double perSecond = engine.ask("fill " + keys).perSecond();
        System.err.printf("%s: filled by %,.0f keys/s%n", name, perSecond);
        return engine;
    }

    private void compare(String work, List<LimitedEngine> engines, MarkdownTable table) throws IOException {
        Rounds<Slice> slices = new Rounds<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (LimitedEngine engine : engines) {
                Slice slice = engine.ask(work + " " + keys + " " + sliceSeconds);
                if (round >= 0) {
                    slices.add(engine.name(), slice);
                }
            }
        }
        table.row(
                work,
                slices.cell("%,.0f", "kvant", Slice::perSecond),
                slices.cell("%,.0f", "rocksdb", Slice::perSecond),
                slices.ratio("kvant", "rocksdb", Slice::perSecond).text(),
                slices.cell("%,.0f", "kvant", Slice::p99),
                slices.cell("%,.0f", "rocksdb", Slice::p99),
                slices.ratio("kvant", "rocksdb", Slice::p99).text());
    }
}
