package kvant.bench.engine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import kvant.bench.figures.MarkdownTable;
import kvant.engine.CompletionSink;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import org.HdrHistogram.ConcurrentHistogram;

/// Puts that come at a fixed rate, and how long after its time each is answered: one that comes late because the engine
/// holds others back counts from when it should have come. Belongs to one thread; the engine's completes them.
final class PacedPuts implements CompletionSink {

    /// More under way would be no load of such a rate any more; the next one then comes late.
    private static final int MOST_UNDER_WAY = 1 << 16;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /// One put, and when it should have come.
    private static final class Timed extends Write {

        private final long dueNanos;

        Timed(WriteBatch batch, CompletionSink sink, long dueNanos) {
            super(batch, sink);
            this.dueNanos = dueNanos;
        }
    }

    // Constant.
    private final LsmEngine engine;
    private final double intervalNanos;
    private final long keys;
    private final int valueBytes;
    private final RandomGenerator random = Dataset.newRandom();

    // Concurrent.
    private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);
    private final ConcurrentHistogram lateNanos = new ConcurrentHistogram(TimeUnit.HOURS.toNanos(1), 3);

    // One thread.
    private long tookNanos;
    private int mostRuns;

    PacedPuts(LsmEngine engine, int rate, long keys, int valueBytes) {
        this.engine = engine;
        this.intervalNanos = 1e9 / rate;
        this.keys = keys;
        this.valueBytes = valueBytes;
    }

    /// Goes on until somebody says that it is enough, and every put is answered.
    void run(BooleanSupplier enough) {
        long beginNanos = System.nanoTime();
        long lookNanos = beginNanos;
        for (long i = 0; !enough.getAsBoolean(); i++) {
            long dueNanos = beginNanos + (long) (i * intervalNanos);
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            underWay.acquireUninterruptibly();
            byte[] value = new byte[valueBytes];
            random.nextBytes(value);
            engine.submit(
                    new Timed(WriteBatch.of(new Mutation.Put(Keys.key(random.nextLong(keys)), value)), this, dueNanos));
            if (dueNanos - lookNanos >= 0) {
                mostRuns = Math.max(mostRuns, Gauges.of(engine).levelZeroRuns());
                lookNanos = dueNanos + LOOK_NANOS;
            }
        }
        underWay.acquireUninterruptibly(MOST_UNDER_WAY);
        tookNanos = System.nanoTime() - beginNanos;
    }

    @Override
    public void completed(Write write) {
        long late = System.nanoTime() - ((Timed) write).dueNanos;
        lateNanos.recordValue(Math.clamp(late, 0, lateNanos.getHighestTrackableValue()));
        underWay.release();
        if (write.failure() != null) {
            throw new IllegalStateException("a put failed", write.failure());
        }
    }

    @Override
    public void wake() {
        // The semaphore has done it.
    }

    double tailNanos() {
        return lateNanos.getValueAtPercentile(99.9);
    }

    int mostRuns() {
        return mostRuns;
    }

    void show(MarkdownTable table, String what) {
        table.row(
                what,
                MarkdownTable.number("%.1f", tookNanos / 1e9),
                MarkdownTable.number("%,.0f", lateNanos.getTotalCount() / (tookNanos / 1e9)),
                MarkdownTable.number("%.2f", lateNanos.getValueAtPercentile(50) / 1e6),
                MarkdownTable.number("%.2f", lateNanos.getValueAtPercentile(99) / 1e6),
                MarkdownTable.number("%.2f", tailNanos() / 1e6),
                mostRuns);
    }
}
