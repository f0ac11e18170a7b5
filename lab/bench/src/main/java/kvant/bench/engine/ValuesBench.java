package kvant.bench.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.process.Workbench;
import kvant.engine.Durability;
import kvant.lsm.LsmOptions;
import kvant.lsm.value.ValueOptions;
import kvant.text.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench values`: random overwrites of large values, with values in files of their own and in tables, beside
/// RocksDB in both ways (its blob files). One after another, each with a store of its own that is deleted behind it, so
/// that all of them find the same disk.
@Command(
        name = "values",
        mixinStandardHelpOptions = true,
        description = "Overwrite large values at random: puts/s, write and space amplification.")
public final class ValuesBench implements Callable<Integer> {

    /// Below what the commit queue holds, for values of some KiB.
    private static final int WRITES_UNDER_WAY = 256;

    /// As many of the quick run's values fit one of these as of the full run's fit the default.
    private static final long QUICK_MEMTABLE_BYTES = 4 << 20;

    @Option(names = "--quick", description = "Under a minute: a store of 160 MB.")
    private boolean quick;

    @Option(names = "--keys", description = "Keys in the store (default: 200000; 10000 with --quick).")
    private long keys;

    @Option(names = "--value", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 16 << 10;

    /// Opens the engine of a line.
    private interface Opening {
        Contender open(Path directory);
    }

    @Override
    public Integer call() throws IOException {
        keys = keys > 0 ? keys : quick ? 10_000 : 200_000;
        LsmOptions separated = options();
        LsmOptions inline = separated.with(o -> o.values = o.values.from(ValueOptions.NEVER));
        long cacheBytes = separated.table().cacheBytes();
        long bufferBytes = separated.memtableBytes();
        System.out.printf(
                "%d keys of %d bytes, values of %d bytes, each overwritten %d times on average, until rest; caches of"
                        + " %s:%n%n",
                keys, Keys.BYTES, valueBytes, Amplification.TIMES, Units.bytes(cacheBytes));
        MarkdownTable table = new MarkdownTable(
                System.out, "engine", "puts/s", "bytes written per byte put", "bytes on disk per live byte");
        line(table, "kvant, values in files of their own", path -> kvant(path, separated));
        line(table, "kvant, values in tables", path -> kvant(path, inline));
        line(table, "rocksdb", path -> RocksDbContender.open(path, cacheBytes, bufferBytes, RocksDbContender.NO_BLOBS));
        line(
                table,
                "rocksdb, blob files",
                path -> RocksDbContender.open(path, cacheBytes, bufferBytes, ValueOptions.DEFAULT.separateBytes()));
        return 0;
    }

    private LsmOptions options() {
        LsmOptions options = KvantContender.patient(LsmOptions.defaults().withDurability(Durability.NONE));
        return quick ? options.withMemtable(QUICK_MEMTABLE_BYTES) : options;
    }

    private static Contender kvant(Path directory, LsmOptions options) {
        return KvantContender.open(directory, options, WRITES_UNDER_WAY);
    }

    private void line(MarkdownTable table, String name, Opening opening) throws IOException {
        Dataset data = Dataset.of(keys, valueBytes);
        try (Workbench bench = Workbench.open()) {
            Path directory = bench.folder().resolve("store");
            try (Contender contender = opening.open(directory)) {
                data.fill(contender);
                Amplification measured = Amplification.measure(contender, directory, data);
                table.row(
                        name,
                        String.format(Locale.ROOT, "%,.0f", measured.putsPerSecond()),
                        String.format(Locale.ROOT, "%.2f", measured.written()),
                        String.format(Locale.ROOT, "%.2f", measured.space()));
            }
        }
    }
}
