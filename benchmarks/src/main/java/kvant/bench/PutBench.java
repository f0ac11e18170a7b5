package kvant.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.lsm.LsmOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant bench puts`: durable puts of the LSM engine with preallocated logs beside logs that grow, slice by slice
/// in one process. Ratios of neighbouring slices are what counts; CPU time is that of the whole process.
@Command(
        name = "puts",
        mixinStandardHelpOptions = true,
        description = "Compare durable puts into preallocated and into growing logs, interleaved, as ratios.")
final class PutBench implements Callable<Integer> {

    private static final int VALUE_BYTES = 100;
    private static final int WARM_UPS = 2;

    @Option(names = "--writers", split = ",", description = "Concurrent writers (default: 1,16,64).")
    private int[] writers = {1, 16, 64};

    @Option(names = "--rounds", description = "Counted rounds (default: 9).")
    private int rounds = 9;

    @Option(names = "--seconds", description = "Length of a slice (default: 1).")
    private double seconds = 1;

    private record Slice(double perSecond, double cpuMicros) {}

    @Override
    public Integer call() throws IOException {
        Path directory = Files.createTempDirectory("kvant-bench");
        try (Contender preallocated = open(directory.resolve("preallocated"), -1);
                Contender growing = open(directory.resolve("growing"), 0)) {
            System.out.println("| writers | rate, preallocated/growing | least | most | CPU per put | least | most |");
            System.out.println("|---|---|---|---|---|---|---|");
            AtomicLong next = new AtomicLong();
            for (int count : writers) {
                compare(count, preallocated, growing, next);
            }
        } finally {
            delete(directory);
        }
        return 0;
    }

    private static Contender open(Path directory, long preallocatedBytes) {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.ALWAYS);
        return KvantContender.open(
                directory,
                preallocatedBytes < 0 ? options : options.with(o -> o.preallocatedBytes = preallocatedBytes));
    }

    private void compare(int count, Contender preallocated, Contender growing, AtomicLong next) {
        List<Double> rates = new ArrayList<>();
        List<Double> cpus = new ArrayList<>();
        for (int round = 0; round < WARM_UPS + rounds; round++) {
            Slice ours = slice(preallocated, count, next);
            Slice theirs = slice(growing, count, next);
            if (round >= WARM_UPS) {
                rates.add(ours.perSecond() / theirs.perSecond());
                cpus.add(ours.cpuMicros() / theirs.cpuMicros());
            }
        }
        Collections.sort(rates);
        Collections.sort(cpus);
        System.out.printf(
                "| %d | **%.2f** | %.2f | %.2f | **%.2f** | %.2f | %.2f |%n",
                count,
                rates.get(rounds / 2),
                rates.getFirst(),
                rates.getLast(),
                cpus.get(rounds / 2),
                cpus.getFirst(),
                cpus.getLast());
    }

    private Slice slice(Contender contender, int count, AtomicLong next) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long first = next.get();
        long cpuNanos = system.getProcessCpuTime();
        long begin = System.nanoTime();
        byte[] value = new byte[VALUE_BYTES];
        Workload.threads(count, () -> {
            while (System.nanoTime() - begin < seconds * 1e9) {
                contender.putDurably(Keys.key(next.getAndIncrement()), value);
            }
        });
        long puts = next.get() - first;
        double elapsed = System.nanoTime() - begin;
        return new Slice(puts * 1e9 / elapsed, (system.getProcessCpuTime() - cpuNanos) / 1e3 / puts);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
