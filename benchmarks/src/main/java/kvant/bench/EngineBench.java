package kvant.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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

    @Option(names = "--quick", description = "Under a minute: fewer keys, shorter slices.")
    private boolean quick;

    @Option(names = "--keys", description = "Keys in the store (default: 10000000; 300000 with --quick).")
    private long keys;

    @Option(names = "--rounds", description = "Counted rounds (default: 7; 3 with --quick).")
    private int rounds;

    @Option(names = "--format", description = "text or json (default: text).")
    private String format = "text";

    /// One line of the result.
    record Line(String title, double kvant, double rocksDb, double ratio, double least, double most, String extra) {}

    @Override
    public Integer call() throws IOException {
        keys = keys > 0 ? keys : quick ? 300_000 : 10_000_000;
        rounds = rounds > 0 ? rounds : quick ? 3 : 7;
        Path directory = Files.createTempDirectory("kvant-bench");
        try {
            List<Line> lines = new ArrayList<>();
            lines.addAll(measure(directory.resolve("unsynced"), false));
            lines.addAll(measure(directory.resolve("synced"), true));
            print(lines);
            return 0;
        } finally {
            delete(directory);
        }
    }

    private List<Line> measure(Path directory, boolean durable) throws IOException {
        Files.createDirectory(directory);
        Dataset data = Dataset.of(durable ? 1000 : keys, VALUE_BYTES);
        long cacheBytes = Math.max(64L << 20, 2 * keys * (Keys.BYTES + VALUE_BYTES));
        long memtableBytes = kvant.lsm.LsmOptions.defaults().memtableBytes();
        List<Line> lines = new ArrayList<>();
        try (Contender kvant = KvantContender.open(directory.resolve("kvant"), durable);
                Contender rocksDb = RocksDbContender.open(directory.resolve("rocksdb"), cacheBytes, memtableBytes)) {
            data.fill(kvant);
            data.fill(rocksDb);
            for (Workload workload : Workload.values()) {
                if ((workload == Workload.DURABLE_PUT) == durable) {
                    lines.add(compare(workload, kvant, rocksDb, data));
                }
            }
        }
        return lines;
    }

    private Line compare(Workload workload, Contender kvant, Contender rocksDb, Dataset data) {
        long sliceNanos = quick ? 500_000_000L : 3_000_000_000L;
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

    private void print(List<Line> lines) {
        if (format.equals("json")) {
            System.out.println(json(lines));
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
    }

    private String json(List<Line> lines) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (Line line : lines) {
            array.add("{\"work\":\"%s\",\"kvant\":%.0f,\"rocksdb\":%.0f,"
                            .formatted(line.title(), line.kvant(), line.rocksDb())
                    + "\"ratio\":%.3f,\"least\":%.3f,\"most\":%.3f}"
                            .formatted(line.ratio(), line.least(), line.most()));
        }
        return "{\"keys\":%d,\"rounds\":%d,\"lines\":%s}".formatted(keys, rounds, array);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
