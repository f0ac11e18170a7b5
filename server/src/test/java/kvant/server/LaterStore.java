package kvant.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import kvant.engine.Cursor;
import kvant.engine.Health;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A store behind a network: writes are applied in the order in which they came, reads find what is there when their
/// turn comes, and any of them may be late. A range is no snapshot.
final class LaterStore implements RemoteEngine {

    private record Versioned(byte[] value, long version) {}

    // Concurrent.
    private final NavigableMap<byte[], Versioned> map = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    // Guarded by this.
    private final Queue<Write> writes = new ArrayDeque<>();
    private final List<Read> reads = new ArrayList<>();
    private boolean closed;

    // The network's own.
    private final Random random = new Random(7);
    private long version;

    /// The last of the fields: it uses the others from its start.
    private final Thread network =
            Thread.ofPlatform().name("later-store").daemon().start(this::work);

    @Override
    public int replicas() {
        return 3;
    }

    @Override
    public synchronized void submit(Read read, Terms terms) {
        reads.add(read);
        notifyAll();
    }

    @Override
    public synchronized void submit(Write write, Terms terms) {
        writes.add(write);
        notifyAll();
    }

    private void work() {
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    /// A read out of its turn, or the oldest write.
    private synchronized @Nullable Runnable next() {
        while (writes.isEmpty() && reads.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (!reads.isEmpty() && (writes.isEmpty() || random.nextInt(3) == 0)) {
            Read read = reads.remove(random.nextInt(reads.size()));
            return () -> read.answered(lookup(read.key()));
        }
        Write write = writes.poll();
        return write == null ? null : () -> settle(write);
    }

    private Lookup lookup(byte[] key) {
        Versioned found = map.get(key);
        return found == null ? Lookup.Miss.ABSENT : new Lookup.Found(found.value(), found.version());
    }

    private void settle(Write write) {
        if (write.batch()
                .condition()
                .holds(lookup(write.batch().mutations().getFirst().key()))) {
            for (Mutation mutation : write.batch().mutations()) {
                version++;
                switch (mutation) {
                    case Mutation.Put put -> map.put(put.key(), new Versioned(put.value(), version));
                    case Mutation.Delete delete -> map.remove(delete.key());
                }
            }
            write.applied(version);
        } else {
            write.refused();
        }
        write.sink().completed(write);
        write.sink().wake();
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        NavigableMap<byte[], Versioned> tail = map.tailMap(from, true);
        Iterator<Map.Entry<byte[], Versioned>> records =
                (to == null ? tail : tail.headMap(to, false)).entrySet().iterator();
        return new Live(records);
    }

    @Override
    public Health health() {
        return new Health(List.of());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            network.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A cursor over the live map.
    private static final class Live implements Cursor {

        private final Iterator<Map.Entry<byte[], Versioned>> records;
        private Map.@Nullable Entry<byte[], Versioned> current;

        Live(Iterator<Map.Entry<byte[], Versioned>> records) {
            this.records = records;
        }

        @Override
        public boolean next() {
            current = records.hasNext() ? records.next() : null;
            return current != null;
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
            return entry().getValue().version();
        }

        @Override
        public long expiresAtMillis() {
            return Mutation.Put.NEVER;
        }

        @Override
        public void close() {}

        private Map.Entry<byte[], Versioned> entry() {
            Map.Entry<byte[], Versioned> entry = current;
            if (entry == null) {
                throw new NoSuchElementException();
            }
            return entry;
        }
    }
}
