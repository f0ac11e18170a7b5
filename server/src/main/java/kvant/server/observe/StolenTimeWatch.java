package kvant.server.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import kvant.engine.ActivitySink;

/// Tells an [ActivitySink] of the times in which the hypervisor gave the processors of this machine to somebody else
/// ("steal" in proc_stat(5)): nothing in the process shows why it stood still then.
///
/// Reads one line ten times a second. Where there is no such file, there is nothing to tell.
final class StolenTimeWatch implements AutoCloseable {

    private static final Path STAT = Path.of("/proc/stat");
    private static final long PERIOD_MILLIS = 100;

    /// Less is what neighbours take all day, and would push other activities out of the log.
    private static final double LEAST_SHARE = 0.2;

    /// Columns of the line `cpu` that make up all time; the two of guests are parts of others.
    private static final int TIMES = 8;

    private static final int STEAL = 7;

    // Constant.
    private final ActivitySink log;
    private final Path stat;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvant-stolen-time").daemon().factory());

    // Owned by the thread.
    private long allBefore;
    private long stolenBefore;
    private long nanosBefore;

    StolenTimeWatch(ActivitySink log, Path stat) {
        this.log = log;
        this.stat = stat;
    }

    /// A watch that runs until it is closed.
    static StolenTimeWatch started(ActivitySink log) {
        StolenTimeWatch watch = new StolenTimeWatch(log, STAT);
        if (Files.isReadable(STAT)) {
            watch.thread.scheduleAtFixedRate(watch::tryLook, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
        return watch;
    }

    private void tryLook() {
        try {
            look(System.nanoTime());
        } catch (IOException | RuntimeException _) {
            thread.shutdown(); // it will not be readable the next time either
        }
    }

    /// Compares with the last look.
    void look(long nowNanos) throws IOException {
        String line;
        try (var lines = Files.newBufferedReader(stat, StandardCharsets.US_ASCII)) {
            line = String.valueOf(lines.readLine());
        }
        String[] columns = line.split(" +");
        long all = 0;
        for (int i = 1; i <= TIMES; i++) {
            all += Long.parseLong(columns[i]);
        }
        long stolen = Long.parseLong(columns[STEAL + 1]);
        double share = (double) (stolen - stolenBefore) / Math.max(1, all - allBefore);
        if (allBefore > 0 && share >= LEAST_SHARE) {
            log.during(String.format(Locale.ROOT, "stolen by the host: %.0f %%", 100 * share), nanosBefore, nowNanos);
        }
        allBefore = all;
        stolenBefore = stolen;
        nanosBefore = nowNanos;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
