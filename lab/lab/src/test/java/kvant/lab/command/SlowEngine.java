package kvant.lab.command;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.Cursor;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine in which one look-up in so many blocks for a fixed time.
final class SlowEngine implements LocalEngine {

    private final LocalEngine engine;
    private final AtomicLong lookups = new AtomicLong();
    private final long slowNanos;
    private final int slowEvery;

    /// @param slowEvery one in so many look-ups blocks
    SlowEngine(LocalEngine engine, long slowNanos, int slowEvery) {
        this.engine = engine;
        this.slowNanos = slowNanos;
        this.slowEvery = slowEvery;
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return Lookup.Miss.WOULD_BLOCK;
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        engine.read(keys, records);
    }

    @Override
    public Lookup get(byte[] key) {
        if (lookups.incrementAndGet() % slowEvery == 0) {
            long end = System.nanoTime() + slowNanos;
            for (long left = slowNanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        return engine.get(key);
    }

    @Override
    public void submit(Write write) {
        engine.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        return engine.scan(from, to);
    }

    @Override
    public Health health() {
        return engine.health();
    }

    @Override
    public void close() {
        engine.close();
    }
}
