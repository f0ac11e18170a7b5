package kvant.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.lsm.LsmOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench engine`: Kvant's LSM engine beside RocksDB through its Java binding, in one process and one
/// run.
///
/// Every workload alternates between the two, slice by slice, so that whatever else the machine does hits
/// both. The first rounds warm the JVM and are not counted. What counts is the ratio of neighbouring slices:
/// its median and its smallest and largest value.
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = "Compare the LSM engine with RocksDB, interleaved, as ratios.")
final class EngineBench implements Callable<Integer> {

    private static final int VALUE_BYTES = 100;

    /// Writes under way in the comparison of durable puts.
    private static final int DURABLE_WRITES = 64;

    /// As many of the quick run's keys fit one of these as of the full run's keys fit the default.
    private static final long QUICK_MEMTABLE_BYTES = 4 << 20;

    @Option(names = "--quick", description = "Under a minute: fewer keys, shorter slices.")
    private boolean quick;

    @Option(names = "--keys", description = "Keys in the store (default: 10000000; 300000 with --quick).")
    private long keys;

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--only", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private Set<Workload> only = EnumSet.allOf(Workload.class);

    @Option(names = "--no-amplification", description = "Without the run that overwrites the whole store.")
    private boolean amplificationLeftOut;

    @Option(names = "--format", description = "text or json (default: text).")
    private String format = "text";

    private final List<Line> lines = new ArrayList<>();
    private final List<Amplification> amplifications = new ArrayList<>();
    private @Nullable Allocation allocation;

    /// One line of the result.
    record Line(String title, double kvant, double rocksDb, double ratio, double least, double most, String extra) {}

    @Override
    public Integer call() throws IOException {
        keys = keys > 0 ? keys : quick ? 300_000 : 10_000_000;
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        Path directory = Files.createTempDirectory("kvant-bench");
        try {
            measure(directory.resolve("unsynced"), false);
            measure(directory.resolve("synced"), true);
            print();
            return 0;
        } finally {
            delete(directory);
        }
    }

    private void measure(Path directory, boolean durable) throws IOException {
        List<Workload> workloads =
                only.stream().filter(each -> each.isDurable() == durable).toList();
        if (workloads.isEmpty() && (durable || amplificationLeftOut)) {
            return;
        }
        Files.createDirectory(directory);
        Dataset data = Dataset.of(durable ? 1000 : keys, VALUE_BYTES);
        LsmOptions options = LsmOptions.defaults().withDurability(durable ? Durability.ALWAYS : Durability.NONE);
        if (quick) {
            options = options.withMemtable(QUICK_MEMTABLE_BYTES);
        }
        long cacheBytes = Math.max(64L << 20, 2 * keys * (Keys.BYTES + VALUE_BYTES));
        Path ours = directory.resolve("kvant");
        Path theirs = directory.resolve("rocksdb");
        try (KvantContender kvant = durable
                        ? KvantContender.open(ours, options, DURABLE_WRITES)
                        : KvantContender.open(ours, options);
                Contender rocksDb = RocksDbContender.open(theirs, cacheBytes, options.memtableBytes())) {
            data.fill(kvant);
            data.fill(rocksDb);
            if (!durable) {
                allocation = Allocation.measure(kvant.engine(), data);
            }
            for (Workload workload : workloads) {
                lines.add(compare(workload, kvant, rocksDb, data));
            }
            if (!durable && !amplificationLeftOut) {
                amplifications.add(Amplification.measure(kvant, ours, data));
                amplifications.add(Amplification.measure(rocksDb, theirs, data));
            }
        }
    }

    private Line compare(Workload workload, Contender kvant, Contender rocksDb, Dataset data) {
        long sliceNanos = workload.sliceFactor() * (quick ? 400_000_000L : 2_000_000_000L);
        int warmUps = quick ? 2 : 3;
        List<Workload.Slice> ours = new ArrayList<>();
        List<Workload.Slice> theirs = new ArrayList<>();
        for (int round = 0; round < warmUps + rounds; round++) {
            Workload.Slice our = workload.run(kvant, data, sliceNanos);
            Workload.Slice their = workload.run(rocksDb, data, sliceNanos);
            if (round >= warmUps) {
                ours.add(our);
                theirs.add(their);
            }
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(ours.get(i).perSecond() / theirs.get(i).perSecond());
        }
        ratios.sort(Comparator.naturalOrder());
        double ourP999 = median(ours.stream().map(Workload.Slice::p999Micros).toList());
        double theirP999 =
                median(theirs.stream().map(Workload.Slice::p999Micros).toList());
        String extra = ourP999 == 0 ? "" : "get p99.9 %.0f us against %.0f us".formatted(ourP999, theirP999);
        return new Line(
                workload.title(),
                median(ours.stream().map(Workload.Slice::perSecond).toList()),
                median(theirs.stream().map(Workload.Slice::perSecond).toList()),
                median(ratios),
                ratios.getFirst(),
                ratios.getLast(),
                extra);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private void print() {
        if (format.equals("json")) {
            System.out.println(json());
            return;
        }
        System.out.printf(
                "%d keys of %d bytes, values of %d bytes, %d rounds%n%n", keys, Keys.BYTES, VALUE_BYTES, rounds);
        System.out.println("| work | kvant /s | rocksdbjni /s | ratio (median) | least | most | |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (Line line : lines) {
            System.out.printf(
                    "| %s | %,.0f | %,.0f | **%.2f** | %.2f | %.2f | %s |%n",
                    line.title(), line.kvant(), line.rocksDb(), line.ratio(), line.least(), line.most(), line.extra());
        }
        if (!amplifications.isEmpty()) {
            System.out.printf(
                    "%nRandom overwrite of %d times the data, until rest:%n%n"
                            + "| engine | puts/s | bytes written per byte put | bytes on disk per live byte |%n"
                            + "|---|---|---|---|%n",
                    Amplification.TIMES);
        }
        for (Amplification each : amplifications) {
            System.out.printf(
                    "| %s | %,.0f | %.2f | %.2f |%n", each.name(), each.putsPerSecond(), each.written(), each.space());
        }
        if (allocation != null) {
            System.out.printf(
                    "%nA hot get of kvant allocates %.1f bytes: the answer with its value, %.1f, and %.1f beyond.%n",
                    allocation.perGet(), allocation.answer(), allocation.beyondTheAnswer());
        }
    }

    private String json() {
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (Line line : lines) {
            array.add("{\"work\":\"%s\",\"kvant\":%.0f,\"rocksdb\":%.0f,"
                            .formatted(line.title(), line.kvant(), line.rocksDb())
                    + "\"ratio\":%.3f,\"least\":%.3f,\"most\":%.3f}"
                            .formatted(line.ratio(), line.least(), line.most()));
        }
        StringJoiner overwrites = new StringJoiner(",", "[", "]");
        for (Amplification each : amplifications) {
            overwrites.add("{\"engine\":\"%s\",\"putsPerSecond\":%.0f,\"write\":%.3f,\"space\":%.3f}"
                    .formatted(each.name(), each.putsPerSecond(), each.written(), each.space()));
        }
        String perGet = allocation == null
                ? "null"
                : "{\"bytesPerGet\":%.1f,\"beyondTheAnswer\":%.1f}"
                        .formatted(allocation.perGet(), allocation.beyondTheAnswer());
        return "{\"keys\":%d,\"rounds\":%d,\"lines\":%s,\"amplification\":%s,\"allocation\":%s}"
                .formatted(keys, rounds, array, overwrites, perGet);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
