package kvant.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Ratio;
import kvant.bench.figures.Rounds;
import kvant.engine.Durability;
import kvant.lab.process.Workbench;
import kvant.lsm.LsmOptions;
import kvant.text.Json;
import kvant.text.Units;
import kvant.text.command.SizeOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench engine`: compares Kvant's LSM engine with RocksDB through its Java binding, in one process and one run.
///
/// Every workload alternates between the two, slice by slice, so that disturbances of the machine affect both. The
/// first rounds warm up the JVM and are not counted. The result is the ratio of adjacent slices: its median, minimum
/// and maximum.
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = "Compare the LSM engine with RocksDB, interleaved, as ratios.")
public final class EngineBench implements Callable<Integer> {

    private static final int VALUE_BYTES = 100;

    /// Unfinished writes in the comparison of durable puts.
    private static final int DURABLE_WRITES = 64;

    /// Scaled so that the quick run's keys fill as many of these as the full run's keys fill of the default size.
    private static final long QUICK_MEMTABLE_BYTES = 4 << 20;

    @Option(names = "--quick", description = "Under a minute: fewer keys, shorter slices.")
    private boolean quick;

    @Option(names = "--keys", description = "Keys in the store (default: 10000000; 300000 with --quick).")
    private long keys;

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--slice", description = "Seconds of a slice (default: 2; 0.4 with --quick).")
    private double sliceSeconds;

    @Option(names = "--only", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private Set<EngineWorkload> only = EnumSet.allOf(EngineWorkload.class);

    @Option(
            names = "--cache",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Cache of each engine, its index and filters included (default: 2GiB).")
    private long cacheBytes = 2L << 30; // holds all data of the default size

    @Option(names = "--no-amplification", description = "Without the run that overwrites the whole store.")
    private boolean amplificationLeftOut;

    @Option(names = "--format", description = "text or json (default: text).")
    private String format = "text";

    private final List<Line> lines = new ArrayList<>();
    private final List<Amplification> amplifications = new ArrayList<>();
    private final Map<String, Long> caches = new LinkedHashMap<>();
    private @Nullable ThreadAllocation allocation;

    /// One line of the result.
    record Line(String title, double kvant, double rocksDb, Ratio ratio, String extra) {}

    @Override
    public Integer call() throws IOException {
        keys = keys > 0 ? keys : quick ? 300_000 : 10_000_000;
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        sliceSeconds = sliceSeconds > 0 ? sliceSeconds : quick ? 0.4 : 2;
        try (Workbench bench = Workbench.open()) {
            measure(bench.folder().resolve("unsynced"), false);
            measure(bench.folder().resolve("synced"), true);
            print();
            return 0;
        }
    }

    private void measure(Path directory, boolean durable) throws IOException {
        List<EngineWorkload> workloads =
                only.stream().filter(each -> each.isDurable() == durable).toList();
        if (workloads.isEmpty() && (durable || amplificationLeftOut)) {
            return;
        }
        Files.createDirectory(directory);
        Dataset data = Dataset.of(durable ? 1000 : keys, VALUE_BYTES);
        LsmOptions options = options(durable ? Durability.ALWAYS : Durability.NONE);
        Path ours = directory.resolve("kvant");
        Path theirs = directory.resolve("rocksdb");
        try (KvantContender kvant = durable
                        ? KvantContender.open(ours, options, DURABLE_WRITES)
                        : KvantContender.filling(ours, options, VALUE_BYTES);
                Contender rocksDb = RocksDbContender.open(theirs, cacheBytes, options.memtableBytes())) {
            caches.put(kvant.name(), kvant.cacheBytes());
            caches.put(rocksDb.name(), rocksDb.cacheBytes());
            data.fill(kvant);
            data.fill(rocksDb);
            if (!durable) {
                allocation = ThreadAllocation.measure(kvant.engine(), data);
            }
            for (EngineWorkload workload : workloads) {
                lines.add(compare(workload, kvant, rocksDb, data));
            }
            if (!durable && !amplificationLeftOut) {
                amplifications.add(Amplification.measure(kvant, ours, data));
                amplifications.add(Amplification.measure(rocksDb, theirs, data));
            }
        }
    }

    private LsmOptions options(Durability durability) {
        LsmOptions options = KvantContender.patient(LsmOptions.defaults().withDurability(durability))
                .with(o -> o.table = o.table.withCache(cacheBytes));
        return quick ? options.withMemtable(QUICK_MEMTABLE_BYTES) : options;
    }

    private Line compare(EngineWorkload workload, Contender kvant, Contender rocksDb, Dataset data) {
        long sliceNanos = (long) (workload.sliceFactor() * sliceSeconds * 1e9);
        int warmUps = quick ? 2 : 3;
        Rounds<EngineWorkload.Slice> slices = new Rounds<>();
        for (int round = 0; round < warmUps + rounds; round++) {
            for (Contender contender : List.of(kvant, rocksDb)) {
                EngineWorkload.Slice slice = workload.run(contender, data, sliceNanos);
                if (round >= warmUps) {
                    slices.add(contender.name(), slice);
                }
            }
        }
        double ourP999 = slices.median(kvant.name(), EngineWorkload.Slice::p999Micros);
        double theirP999 = slices.median(rocksDb.name(), EngineWorkload.Slice::p999Micros);
        String extra =
                ourP999 == 0 ? "" : String.format(Locale.ROOT, "get p99.9 %.0f us against %.0f us", ourP999, theirP999);
        return new Line(
                workload.title(),
                slices.median(kvant.name(), EngineWorkload.Slice::perSecond),
                slices.median(rocksDb.name(), EngineWorkload.Slice::perSecond),
                slices.ratio(kvant.name(), rocksDb.name(), EngineWorkload.Slice::perSecond),
                extra);
    }

    private void print() {
        if (format.equals("json")) {
            System.out.println(json());
            return;
        }
        System.out.printf(
                "%d keys of %d bytes, values of %d bytes, %d rounds; caches, index and filters included: %s%n%n",
                keys, Keys.BYTES, VALUE_BYTES, rounds, shown(caches));
        MarkdownTable table = new MarkdownTable(
                System.out, "work", "kvant /s", "rocksdbjni /s", "ratio (median)", "least", "most", "");
        for (Line line : lines) {
            table.row(
                    line.title(),
                    MarkdownTable.number("%,.0f", line.kvant()),
                    MarkdownTable.number("%,.0f", line.rocksDb()),
                    MarkdownTable.number("**%.2f**", line.ratio().median()),
                    MarkdownTable.number("%.2f", line.ratio().least()),
                    MarkdownTable.number("%.2f", line.ratio().most()),
                    line.extra());
        }
        printAmplifications();
        if (allocation != null) {
            System.out.printf(
                    "%nA hot get of kvant allocates %.1f bytes: the answer with its value, %.1f, and %.1f beyond.%n",
                    allocation.perGet(), allocation.answer(), allocation.beyondTheAnswer());
        }
    }

    private static String shown(Map<String, Long> caches) {
        return caches.entrySet().stream()
                .map(cache -> cache.getKey() + " " + Units.bytes(cache.getValue()))
                .collect(Collectors.joining(", "));
    }

    private void printAmplifications() {
        if (amplifications.isEmpty()) {
            return;
        }
        System.out.printf("%nRandom overwrite of %d times the data, until rest:%n%n", Amplification.TIMES);
        MarkdownTable table = new MarkdownTable(
                System.out, "engine", "puts/s", "bytes written per byte put", "bytes on disk per live byte");
        for (Amplification each : amplifications) {
            table.row(
                    each.name(),
                    MarkdownTable.number("%,.0f", each.putsPerSecond()),
                    MarkdownTable.number("%.2f", each.written()),
                    MarkdownTable.number("%.2f", each.space()));
        }
    }

    private String json() {
        Json json = Json.line().open().put("keys", keys).put("rounds", rounds).open("cacheBytes");
        caches.forEach((name, bytes) -> json.put(name, bytes));
        json.close().openList("lines");
        for (Line line : lines) {
            json.open()
                    .put("work", line.title())
                    .put("kvant", line.kvant())
                    .put("rocksdb", line.rocksDb())
                    .put("ratio", line.ratio().median())
                    .put("least", line.ratio().least())
                    .put("most", line.ratio().most())
                    .close();
        }
        json.closeList().openList("amplification");
        for (Amplification each : amplifications) {
            json.open()
                    .put("engine", each.name())
                    .put("putsPerSecond", each.putsPerSecond())
                    .put("write", each.written())
                    .put("space", each.space())
                    .close();
        }
        json.closeList();
        if (allocation == null) {
            json.putNull("allocation");
        } else {
            json.open("allocation")
                    .put("bytesPerGet", allocation.perGet())
                    .put("beyondTheAnswer", allocation.beyondTheAnswer())
                    .close();
        }
        return json.close().toString();
    }
}
