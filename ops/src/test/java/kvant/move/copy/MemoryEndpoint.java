package kvant.move.copy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An endpoint in memory that counts and fails on demand. Its writes complete within their submission, unless they are
/// to complete [#later].
final class MemoryEndpoint implements Endpoint {

    /// A value and its end.
    record Stored(byte[] value, long expiresAtMillis) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Stored stored
                    && Arrays.equals(value, stored.value)
                    && expiresAtMillis == stored.expiresAtMillis;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    /// The process is gone.
    static final class KilledError extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static final int GATHERED = 4;
    private static final long GATHER_NANOS = 5_000_000;

    final NavigableMap<byte[], Stored> map = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    final List<Integer> writeSizes = new ArrayList<>();
    int writeRecords = 7;
    boolean remote;
    volatile boolean closed;
    private boolean later;

    int killedAfter = Integer.MAX_VALUE;

    /// Called in the moment of the end, if writes complete later.
    Runnable whenKilled = () -> {};

    int mostInWrite = Integer.MAX_VALUE;
    int scans;
    int breaksScansAfter = Integer.MAX_VALUE;
    EngineException breaksScansWith = new EngineException.Busy("the snapshot is too old");
    Function<Write, @Nullable EngineException> refuses = _ -> null;

    long outstandingBytes;
    long mostOutstandingBytes;
    int mostOutstanding;
    private long submittedNanos;
    private int applied;
    private final List<Write> held = new ArrayList<>();
    private final Random random = new Random(1);

    @Override
    public String name() {
        return "memory";
    }

    void put(String key, String value) {
        put(key, value, Mutation.Put.NEVER);
    }

    void put(String key, String value, long expiresAtMillis) {
        map.put(
                key.getBytes(StandardCharsets.UTF_8),
                new Stored(value.getBytes(StandardCharsets.UTF_8), expiresAtMillis));
    }

    @Override
    public Cursor scan(byte[] from) {
        scans++;
        return new MapCursor(map.tailMap(from, true).entrySet().iterator());
    }

    @Override
    public void submit(Write write) {
        if (!later) {
            writeSizes.add(write.batch().mutations().size());
            complete(write);
            return;
        }
        synchronized (held) {
            writeSizes.add(write.batch().mutations().size());
            held.add(write);
            submittedNanos = System.nanoTime();
            outstandingBytes += write.batch().bytes();
            mostOutstandingBytes = Math.max(mostOutstandingBytes, outstandingBytes);
            mostOutstanding = Math.max(mostOutstanding, held.size());
        }
    }

    /// Has writes complete later, one at a time and in a random order, on a thread of its own, which first lets some
    /// gather.
    MemoryEndpoint later() {
        later = true;
        Thread.ofVirtual().start(() -> {
            while (!closed) {
                completeOne();
                LockSupport.parkNanos(20_000);
            }
        });
        return this;
    }

    private void completeOne() {
        Write write;
        synchronized (held) {
            boolean gathers = held.size() < GATHERED && System.nanoTime() - submittedNanos < GATHER_NANOS;
            if (held.isEmpty() || gathers) {
                return;
            }
            write = held.remove(random.nextInt(held.size()));
            outstandingBytes -= write.batch().bytes();
        }
        try {
            complete(write);
        } catch (KilledError _) {
            closed = true;
            whenKilled.run();
            write.failed(new EngineException.Closed()); // so that the copy, which is not killed, ends
            write.sink().completed(write);
        }
    }

    private void complete(Write write) {
        apply(write);
        write.sink().completed(write);
        write.sink().wake();
    }

    private void apply(Write write) {
        if (applied++ >= killedAfter) {
            throw new KilledError();
        }
        EngineException failure = refuses.apply(write);
        if (write.batch().mutations().size() > mostInWrite) {
            failure = new EngineException.Unsupported("too many at once");
        }
        if (failure != null) {
            write.failed(failure);
            return;
        }
        for (Mutation mutation : write.batch().mutations()) {
            Mutation.Put put = (Mutation.Put) mutation;
            map.put(put.key(), new Stored(put.value(), put.expiresAtMillis()));
        }
        write.applied(1);
    }

    @Override
    public int writeRecords() {
        return writeRecords;
    }

    @Override
    public boolean isRemote() {
        return remote;
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class MapCursor implements Cursor {
        private final Iterator<Map.Entry<byte[], Stored>> records;
        private Map.@Nullable Entry<byte[], Stored> current;
        private int shown;

        MapCursor(Iterator<Map.Entry<byte[], Stored>> records) {
            this.records = records;
        }

        @Override
        public boolean next() {
            if (shown++ == breaksScansAfter) {
                throw breaksScansWith;
            }
            if (!records.hasNext()) {
                return false;
            }
            current = records.next();
            return true;
        }

        private Map.Entry<byte[], Stored> entry() {
            Map.Entry<byte[], Stored> entry = current;
            if (entry == null) {
                throw new IllegalStateException("no current record");
            }
            return entry;
        }

        @Override
        public byte[] key() {
            return entry().getKey();
        }

        @Override
        public byte[] value() {
            return entry().getValue().value();
        }

        @Override
        public long version() {
            return 1;
        }

        @Override
        public long expiresAtMillis() {
            return entry().getValue().expiresAtMillis();
        }

        @Override
        public void close() {}
    }
}
