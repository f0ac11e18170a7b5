package kvant.bench.engine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Ratio;
import kvant.bench.process.Workbench;
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
public final class PutBench implements Callable<Integer> {

    private static final int VALUE_BYTES = 100;
    private static final int WARM_UPS = 2;

    @Option(names = "--writers", split = ",", description = "Concurrent writers (default: 1,16,64).")
    private int[] writers = {1, 16, 64};

    @Option(names = "--rounds", description = "Counted rounds (default: 9; 3 with --quick).")
    private int rounds;

    @Option(names = "--seconds", description = "Length of a slice (default: 1; 0.2 with --quick).")
    private double seconds;

    @Option(names = "--quick", description = "A few seconds: fewer and shorter rounds.")
    private boolean quick;

    private record Slice(double perSecond, double cpuMicros) {}

    @Override
    public Integer call() throws IOException {
        seconds = seconds > 0 ? seconds : quick ? 0.2 : 1;
        rounds = rounds > 0 ? rounds : quick ? 3 : 9;
        try (Workbench bench = Workbench.open();
                Contender preallocated = open(bench.folder().resolve("preallocated"), -1);
                Contender growing = open(bench.folder().resolve("growing"), 0)) {
            MarkdownTable table = new MarkdownTable(
                    System.out, "writers", "rate, preallocated to growing", "CPU per put, preallocated to growing");
            AtomicLong next = new AtomicLong();
            for (int count : writers) {
                compare(table, count, preallocated, growing, next);
            }
        }
        return 0;
    }

    private static Contender open(Path directory, long preallocatedBytes) {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.ALWAYS);
        return KvantContender.open(
                directory,
                preallocatedBytes < 0 ? options : options.with(o -> o.preallocatedBytes = preallocatedBytes));
    }

    private void compare(MarkdownTable table, int count, Contender preallocated, Contender growing, AtomicLong next) {
        List<Slice> ours = new ArrayList<>();
        List<Slice> theirs = new ArrayList<>();
        for (int round = 0; round < WARM_UPS + rounds; round++) {
            Slice our = slice(preallocated, count, next);
            Slice their = slice(growing, count, next);
            if (round >= WARM_UPS) {
                ours.add(our);
                theirs.add(their);
            }
        }
        table.row(
                count,
                Ratio.of(ours, theirs, Slice::perSecond).text(),
                Ratio.of(ours, theirs, Slice::cpuMicros).text());
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
}
