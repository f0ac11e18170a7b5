package kvant.bench.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import kvant.engine.CompletionSink;
import kvant.engine.ConditionFailedException;
import kvant.engine.Cursor;
import kvant.engine.Distribution;
import kvant.engine.Lookup;
import kvant.engine.MetricSink;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.commit.WriteThrottle;
import org.jspecify.annotations.Nullable;

/// Kvant's LSM engine. Writes that need not be durable are submitted without waiting for each, as in the node.
final class KvantContender implements Contender, CompletionSink {

    /// Maximum number of unfinished small writes; far below the capacity of the commit queue.
    private static final int WINDOW = 4096;

    /// Maximum total value size of unfinished writes; below the capacity of the write queue.
    private static final int WINDOW_BYTES = 8 << 20;

    private static final int LEAST_WINDOW = 16;

    private static final Duration MOST_WAIT = Duration.ofMinutes(1);

    private final LsmEngine engine;
    private final int writesUnderWay;
    private final Semaphore window;
    private volatile @Nullable Throwable failure;

    private KvantContender(LsmEngine engine, int writesUnderWay) {
        this.engine = engine;
        this.writesUnderWay = writesUnderWay;
        this.window = new Semaphore(writesUnderWay);
    }

    /// With as many unfinished writes as this value size allows.
    static KvantContender filling(Path directory, LsmOptions options, int valueBytes) {
        return open(directory, options, Math.clamp(WINDOW_BYTES / (valueBytes + 1), LEAST_WINDOW, WINDOW));
    }

    /// @param writesUnderWay maximum number of unfinished writes without individual waiting
    static KvantContender open(Path directory, LsmOptions options, int writesUnderWay) {
        return new KvantContender(LsmEngine.open(directory, options), writesUnderWay);
    }

    /// Options that make a store with a backlog delay writes for up to a minute before it refuses them: RocksDB delays
    /// them without limit.
    static LsmOptions patient(LsmOptions options) {
        return options.with(o -> o.throttle = new WriteThrottle(
                o.throttle.drain(),
                o.throttle.maxDelay(),
                MOST_WAIT,
                o.throttle.slowRuns(),
                o.throttle.stopRuns(),
                o.throttle.slowDebtBytes(),
                o.throttle.stopDebtBytes()));
    }

    LsmEngine engine() {
        return engine;
    }

    @Override
    public String name() {
        return "kvant";
    }

    @Override
    public long cacheBytes() {
        CacheBytes bytes = new CacheBytes();
        engine.measure(bytes);
        return bytes.capacity;
    }

    @Override
    public void put(byte[] key, byte[] value) {
        refuseFailed();
        window.acquireUninterruptibly();
        engine.submit(new Write(WriteBatch.of(new Mutation.Put(key, value)), this));
    }

    @Override
    public void settle() {
        window.acquireUninterruptibly(writesUnderWay);
        window.release(writesUnderWay);
        refuseFailed();
    }

    /// Reports a failure of an earlier write, whose outcome the engine's thread delivers later.
    private void refuseFailed() {
        Throwable known = failure;
        if (known != null) {
            throw new IllegalStateException("a write failed: " + known.getMessage(), known);
        }
    }

    @Override
    public void rest() {
        settle();
        engine.awaitRest();
    }

    @Override
    public boolean putDurablyLater(byte[] key, byte[] value) {
        put(key, value);
        return true;
    }

    @Override
    public void putDurably(byte[] key, byte[] value) {
        try {
            engine.write(WriteBatch.of(new Mutation.Put(key, value)));
        } catch (ConditionFailedException e) {
            throw new IllegalStateException("a write without a condition was refused", e);
        }
    }

    @Override
    public boolean get(byte[] key) {
        return engine.get(key) instanceof Lookup.Found;
    }

    @Override
    public long scan() {
        long records = 0;
        long bytes = 0;
        try (Cursor cursor = engine.scan(new byte[0], null)) {
            while (cursor.next()) {
                records++;
                bytes += cursor.key().length + cursor.value().length;
            }
        }
        return bytes == 0 ? 0 : records;
    }

    @Override
    public void completed(Write write) {
        if (write.failure() != null) {
            failure = write.failure();
        }
        window.release();
    }

    @Override
    public void wake() {
        // Already signalled by the semaphore.
    }

    @Override
    public void close() {
        engine.close();
    }

    /// A figure reported by the engine.
    private static final class CacheBytes implements MetricSink {

        private long capacity;

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            if (name.equals("kvant_lsm_block_cache_capacity_bytes")) {
                capacity = (long) value;
            }
        }

        @Override
        public void counter(String name, String help, double value, String... labels) {}

        @Override
        public void histogram(String name, String help, Distribution values, String... labels) {}
    }
}
