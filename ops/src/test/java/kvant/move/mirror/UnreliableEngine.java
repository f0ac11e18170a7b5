package kvant.move.mirror;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.RecordSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A target in memory that fails, delays and reorders as a test says. A write takes effect when its delay is over,
/// in no order with others: who wants an order has to wait. It outlives its close, as a cluster outlives a node.
final class UnreliableEngine implements LocalEngine {

    /// A record, comparable by content.
    record Stored(List<Byte> value, long expiresAtMillis) {

        static Stored of(byte[] value, long expiresAtMillis) {
            List<Byte> bytes = new ArrayList<>();
            for (byte each : value) {
                bytes.add(each);
            }
            return new Stored(bytes, expiresAtMillis);
        }

        byte[] bytes() {
            byte[] bytes = new byte[value.size()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = value.get(i);
            }
            return bytes;
        }
    }

    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().factory());

    // Guarded by this.
    private final NavigableMap<byte[], Stored> records = new TreeMap<>(Arrays::compareUnsigned);
    private final Map<Runnable, Write> held = new LinkedHashMap<>();
    private final Random random;
    private int submitted;

    // Atomic.
    volatile boolean down;
    volatile boolean holding;
    volatile int failuresInThousand;
    volatile int latesInThousand;
    volatile int lateMillis;
    volatile int mostDelayMicros;
    volatile @Nullable Runnable afterScan;
    volatile @Nullable EngineException refusal;
    volatile @Nullable Error breakage;

    UnreliableEngine(long seed) {
        this.random = new Random(seed);
    }

    synchronized NavigableMap<String, Stored> contents() {
        NavigableMap<String, Stored> shown = new TreeMap<>();
        records.forEach((key, stored) -> shown.put(Arrays.toString(key), stored));
        return shown;
    }

    synchronized int submitted() {
        return submitted;
    }

    synchronized int held() {
        return held.size();
    }

    /// The value that a held write of the key would store.
    synchronized @Nullable String heldValue(String key) {
        for (Write write : held.values()) {
            if (write.batch().mutations().getFirst() instanceof Mutation.Put put
                    && Samples.text(put.key()).equals(key)) {
                return Samples.text(put.value());
            }
        }
        return null;
    }

    synchronized void put(byte[] key, byte[] value) {
        records.put(key, Stored.of(value, Mutation.Put.NEVER));
    }

    synchronized @Nullable String value(String key) {
        Stored stored = records.get(Samples.bytes(key));
        return stored == null ? null : Samples.text(stored.bytes());
    }

    /// Lets the held writes take effect, and holds none any more.
    void release() {
        holding = false;
        List<Runnable> released;
        synchronized (this) {
            released = List.copyOf(held.keySet());
            held.clear();
        }
        released.forEach(threads::execute);
    }

    @Override
    public synchronized void submit(Write write) {
        submitted++;
        Error thrown = breakage;
        if (thrown != null) {
            throw thrown;
        }
        EngineException refused = refusal;
        int dice = random.nextInt(1_000);
        boolean fails = dice < failuresInThousand;
        boolean appliesAllTheSame = fails && dice % 2 == 0;
        boolean late = !fails && dice >= 1_000 - latesInThousand;
        EngineException failure = refused != null
                ? refused
                : down
                        ? new EngineException.Unavailable("down on purpose")
                        : !fails
                                ? null
                                : appliesAllTheSame
                                        ? new EngineException.OutcomeUnknown("lost on purpose")
                                        : new EngineException.Busy("busy on purpose");
        Runnable effect = () -> end(write, failure);
        if (holding) {
            held.put(effect, write);
        } else {
            int most = mostDelayMicros;
            long micros = late ? lateMillis * 1_000L : most == 0 ? 0 : random.nextInt(most);
            threads.schedule(effect, micros, TimeUnit.MICROSECONDS);
        }
    }

    private void end(Write write, @Nullable EngineException failure) {
        if (failure == null || failure instanceof EngineException.OutcomeUnknown) {
            synchronized (this) {
                for (Mutation mutation : write.batch().mutations()) {
                    switch (mutation) {
                        case Mutation.Put put -> records.put(put.key(), Stored.of(put.value(), put.expiresAtMillis()));
                        case Mutation.Delete delete -> records.remove(delete.key());
                    }
                }
            }
        }
        if (failure == null) {
            write.applied(1);
        } else {
            write.failed(failure);
        }
        write.sink().completed(write);
        write.sink().wake();
    }

    @Override
    public synchronized Lookup get(byte[] key) {
        Stored stored = records.get(key);
        return stored == null ? Lookup.Miss.ABSENT : new Lookup.Found(stored.bytes(), 1);
    }

    @Override
    public synchronized void read(List<byte[]> keys, RecordSink sink) {
        for (byte[] key : keys) {
            Stored stored = records.get(key);
            if (stored != null) {
                sink.take(key, stored.bytes(), 1, Mutation.Put.NEVER);
            }
        }
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return Lookup.Miss.WOULD_BLOCK;
    }

    @Override
    public synchronized Cursor scan(byte[] from, byte @Nullable [] to) {
        if (down) {
            throw new EngineException.Unavailable("down on purpose");
        }
        Iterator<Map.Entry<byte[], Stored>> rest =
                new TreeMap<>(records.tailMap(from, true)).entrySet().iterator();
        return new Cursor() {
            private Map.@Nullable Entry<byte[], Stored> at;

            private Map.Entry<byte[], Stored> at() {
                Map.Entry<byte[], Stored> entry = at;
                if (entry == null) {
                    throw new IllegalStateException("no record");
                }
                return entry;
            }

            @Override
            public boolean next() {
                at = rest.hasNext() ? rest.next() : null;
                return at != null;
            }

            @Override
            public byte[] key() {
                return at().getKey();
            }

            @Override
            public byte[] value() {
                return at().getValue().bytes();
            }

            @Override
            public long version() {
                return 1;
            }

            @Override
            public long expiresAtMillis() {
                return at().getValue().expiresAtMillis();
            }

            @Override
            public void close() {
                Runnable hook = afterScan;
                if (hook != null) {
                    afterScan = null;
                    hook.run();
                }
            }
        };
    }

    @Override
    public Health health() {
        return new Health(List.of());
    }

    @Override
    public void close() {}
}
