package kvant.bench.engine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Workbench;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableFile;
import kvant.lsm.table.TableWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench compression`: what compression saves and costs, table by table.
///
/// CPU time of one thread, the compressions in turn, round by round; what counts are the medians of the
/// ratios to the plain table of the same round.
@Command(
        name = "compression",
        mixinStandardHelpOptions = true,
        description = "Size and CPU time of plain, LZ4 and Zstandard tables, interleaved, as ratios.")
public final class CompressionBench implements Callable<Integer> {

    private static final int VALUE_BYTES = 200;
    private static final int BLOCK_BYTES = 4 << 10;
    private static final int WARM_UPS = 2;
    private static final long TABLE_ID = 42;
    private static final long CACHE_BYTES = 256 << 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Option(names = "--quick", description = "Under a minute: fewer records and rounds.")
    private boolean quick;

    @Option(names = "--records", description = "Of a table (default: 200000; 10000 with --quick).")
    private int records;

    @Option(names = "--rounds", description = "Counted rounds (default: 15; 3 with --quick).")
    private int rounds;

    /// What one round measured of one table, in bytes and CPU time.
    private record Sample(double bytes, double writeNanos, double cachedGetNanos, double uncachedGetNanos) {}

    @Override
    public Integer call() throws IOException {
        records = records > 0 ? records : quick ? 10_000 : 200_000;
        rounds = rounds > 0 ? rounds : quick ? 3 : 15;
        try (Workbench bench = Workbench.open()) {
            System.out.printf(
                    "%d values of %d bytes, %d rounds; ratios to the plain table%n%n", records, VALUE_BYTES, rounds);
            MarkdownTable table = new MarkdownTable(
                    System.out,
                    "values",
                    "compression",
                    "size",
                    "CPU to write",
                    "per get, cached",
                    "per get, not cached");
            measure(table, bench.folder(), "text", texts(records));
            measure(table, bench.folder(), "random", noise(records));
            return 0;
        }
    }

    private void measure(MarkdownTable table, Path directory, String title, byte[][] values) throws IOException {
        Storage storage = DiskStorage.open(directory.resolve(title));
        Map<Compression, List<Sample>> samples = new EnumMap<>(Compression.class);
        for (int round = 0; round < WARM_UPS + rounds; round++) {
            for (Compression compression : Compression.values()) {
                Sample sample = sample(storage, compression, values);
                if (round >= WARM_UPS) {
                    samples.computeIfAbsent(compression, _ -> new ArrayList<>()).add(sample);
                }
            }
        }
        List<Sample> plain = samples.getOrDefault(Compression.values()[0], List.of());
        samples.forEach((compression, rows) -> table.row(
                title,
                compression.name().toLowerCase(Locale.ROOT),
                ratio(rows, plain, Sample::bytes),
                ratio(rows, plain, Sample::writeNanos),
                ratio(rows, plain, Sample::cachedGetNanos),
                ratio(rows, plain, Sample::uncachedGetNanos)));
    }

    private static String ratio(List<Sample> rows, List<Sample> plain, ToDoubleFunction<Sample> figure) {
        return String.format(Locale.ROOT, "%.2f", Ratio.of(rows, plain, figure).median());
    }

    private static Sample sample(Storage storage, Compression compression, byte[][] values) throws IOException {
        String name = "00000001.table";
        long start = THREADS.getCurrentThreadCpuTime();
        long bytes;
        try (TableWriter writer = new TableWriter(storage, name, TABLE_ID, BLOCK_BYTES, compression)) {
            Records records = new Records(values);
            while (records.next()) {
                writer.add(records);
            }
            bytes = writer.finish().bytes();
        }
        long written = THREADS.getCurrentThreadCpuTime() - start;
        double cached = gets(storage, name, bytes, CACHE_BYTES, values.length);
        double uncached = gets(storage, name, bytes, 0, values.length);
        storage.delete(name);
        return new Sample(bytes, written, cached, uncached);
    }

    /// CPU time of gets in random order, after one round of all keys.
    private static double gets(Storage storage, String name, long bytes, long cacheBytes, int records)
            throws IOException {
        try (Table table = Table.open(TableFile.map(storage, name, TABLE_ID, bytes), new TableContext(cacheBytes))) {
            for (int i = 0; i < records; i++) {
                get(table, i);
            }
            SplittableRandom random = new SplittableRandom(7);
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < records; i++) {
                get(table, random.nextInt(records));
            }
            return THREADS.getCurrentThreadCpuTime() - start;
        }
    }

    private static void get(Table table, int number) {
        byte[] key = keyOf(number);
        if (table.find(key, Table.hash(key), Reading.by(InstantSource.system()), true) == null) {
            throw new IllegalStateException("a key is missing");
        }
    }

    /// Values that Zstandard makes about a third as large: fields with fixed names and random content.
    private static byte[][] texts(int count) {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < VALUE_BYTES) {
                text.append("\"customer_name\":\"")
                        .append(Long.toHexString(random.nextLong()))
                        .append("\",\"balance\":")
                        .append(random.nextInt(1_000_000))
                        .append(',');
            }
            values[i] = text.substring(0, VALUE_BYTES).getBytes(StandardCharsets.US_ASCII);
        }
        return values;
    }

    private static byte[][] noise(int count) {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[count][VALUE_BYTES];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        return values;
    }

    private static byte[] keyOf(int number) {
        byte[] key = new byte[16];
        for (int i = key.length - 1, rest = number; i >= 0; i--, rest /= 10) {
            key[i] = (byte) ('0' + rest % 10);
        }
        return key;
    }

    /// The values under ascending keys.
    private static final class Records implements RecordCursor {

        private final byte[][] values;
        private int number = -1;
        private byte[] key = new byte[0];

        Records(byte[][] values) {
            this.values = values;
        }

        @Override
        public boolean seek(byte[] wanted) {
            throw new UnsupportedOperationException("only read from the start");
        }

        @Override
        public boolean next() {
            number++;
            key = keyOf(number);
            return number < values.length;
        }

        @Override
        public byte[] keyArray() {
            return key;
        }

        @Override
        public int keyOffset() {
            return 0;
        }

        @Override
        public int keyLength() {
            return key.length;
        }

        @Override
        public long tag() {
            return Tag.of(number + 1L, Tag.PUT);
        }

        @Override
        public int valueLength() {
            return values[number].length;
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            System.arraycopy(values[number], from, target, offset, length);
        }
    }
}
