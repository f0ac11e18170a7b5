package kvant.bench.engine;

import static kvant.bench.engine.Child.figure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.process.PageCache;
import kvant.lab.process.Workbench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench growth`: compares a small store with one far larger than the heap, each stage in a separate JVM: memory
/// of the process, time to open, replay after a crash, and alternating gets from both.
@Command(
        name = "growth",
        mixinStandardHelpOptions = true,
        description = "Measure a store that is far larger than the heap: memory, disk, opening, replay, gets.")
public final class GrowthBench implements Callable<Integer> {

    private static final String LOG_HEAP = "1g";

    @Option(names = "--quick", description = "About half a minute: a hundredth of the keys.")
    private boolean quick;

    @Option(names = "--keys", description = "Keys of the large store (default: 100000000).")
    private long keys = 100_000_000;

    @Option(names = "--small-keys", description = "Keys of the small store (default: 1000000).")
    private long smallKeys = 1_000_000;

    @Option(names = "--value", description = "Bytes of a value (default: 100).")
    private int valueBytes = 100;

    @Option(names = "--heap", description = "Heap of the process, as -Xmx (default: 128m).")
    private String heap = "128m";

    @Option(names = "--log", description = "Bytes in the log that is replayed (default: 268435456).")
    private long logBytes = 256 << 20;

    @Option(names = "--slice", description = "Seconds of a slice of gets (default: ${DEFAULT-VALUE}).")
    private double sliceSeconds = 2;

    @Override
    public Integer call() throws IOException {
        if (quick) {
            keys /= 100;
            smallKeys /= 100;
            logBytes /= 8;
        }
        try (Workbench bench = Workbench.open()) {
            measure(bench.folder());
            return 0;
        }
    }

    private void measure(Path directory) throws IOException {
        Path small = directory.resolve("small");
        Path large = directory.resolve("large");
        System.out.printf(
                "%d keys of %d bytes, values of %d bytes, %.1f GB, heap %s%n%n",
                keys, Keys.BYTES, valueBytes, keys * (Keys.BYTES + valueBytes) / 1e9, heap);
        MarkdownTable table = new MarkdownTable(System.out, "what", "figure");
        Map<String, Double> smallFilled = Child.run(heap, "fill", small, smallKeys, valueBytes);
        Map<String, Double> filled = Child.run(heap, "fill", large, keys, valueBytes);
        line(table, "filled, until rest, keys/s", "%,.0f", keys / figure(filled, "seconds"));
        line(
                table,
                "most memory of the process while it was filled (RssAnon), MB",
                "%.0f",
                figure(filled, "anonymousBytes") / 1e6);
        showDisk(table, smallFilled, smallKeys);
        showDisk(table, filled, keys);
        Map<String, Double> opened = Child.run(heap, "open", large);
        line(table, "opened after a clean stop, s", "%.3f", figure(opened, "openSeconds"));
        Map<String, Double> read = Child.run(heap, "get", small, smallKeys, large, keys, sliceSeconds);
        line(table, "most memory of the process while it was read, MB", "%.0f", figure(read, "anonymousBytes") / 1e6);
        compare(table, read, "hot", "of 10,000 keys all over the store");
        compare(table, read, "any", "of any key");
        PageCache.forget(large);
        Map<String, Double> cold = Child.run(heap, "cold", large, keys, sliceSeconds);
        line(table, "opened, its pages not in memory, s", "%.3f", figure(cold, "openSeconds"));
        line(table, "of that, manifest, tables and logs, s", "%.3f", figure(cold, "recoverySeconds"));
        line(table, "gets of any key just after, 1 thread, /s", "%,.0f", figure(cold, "getsPerSecond"));
        showReplay(table, directory.resolve("crashed"));
    }

    private void showReplay(MarkdownTable table, Path crashed) throws IOException {
        Child.run(LOG_HEAP, "crash", crashed, logBytes, valueBytes);
        Map<String, Double> replayed = Child.run(LOG_HEAP, "open", crashed);
        double bytes = figure(replayed, "replayedBytes");
        line(table, "log replayed after a crash, MB", "%.0f", bytes / 1e6);
        line(table, "replay, MB/s", "%.0f", bytes / 1e6 / figure(replayed, "recoverySeconds"));
    }

    private void compare(MarkdownTable table, Map<String, Double> read, String which, String what) {
        double fewer = figure(read, which + "SmallNanos");
        double more = figure(read, which + "LargeNanos");
        line(table, "p50 of a get " + what + ", " + smallKeys + " keys, ns", "%.0f", fewer);
        line(table, "p50 of a get " + what + ", " + keys + " keys, ns", "%.0f", more);
        line(table, "their ratio", "**%.2f**", more / fewer);
    }

    /// The last line is the factor that docs/run.md states for disk space during filling.
    private void showDisk(MarkdownTable table, Map<String, Double> filled, long count) {
        double dataBytes = (double) count * (Keys.BYTES + valueBytes);
        String of = ", " + count + " keys";
        line(table, "keys and values" + of + ", MB", "%.1f", dataBytes / 1e6);
        line(table, "bytes on the disk at rest" + of + ", MB", "%.1f", figure(filled, "diskBytes") / 1e6);
        line(table, "for each byte of keys and values", "**%.2f**", figure(filled, "diskBytes") / dataBytes);
        line(table, "the most while it was filled", "**%.2f**", figure(filled, "mostDiskBytes") / dataBytes);
    }

    private static void line(MarkdownTable table, String what, String format, double figure) {
        table.row(what, format.formatted(figure));
    }
}
