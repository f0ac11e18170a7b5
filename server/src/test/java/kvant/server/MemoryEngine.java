package kvant.server;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.Limits;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine in memory with a real group commit, that records its calls, and blocks or fails on demand.
///
/// Thread-safe; what a test sets takes effect with the next call.
public final class MemoryEngine implements LocalEngine {

    /// Stands in the way of those who pass it, until it is opened.
    public static final class Gate {
        private final Semaphore passes = new Semaphore(0);
        private final AtomicInteger waiting = new AtomicInteger();

        void pass() {
            waiting.incrementAndGet();
            passes.acquireUninterruptibly();
            waiting.decrementAndGet();
        }

        public int waiting() {
            return waiting.get();
        }

        public void open() {
            passes.release(1_000_000);
        }
    }

    private record Versioned(byte[] value, long version, long expiresAtMillis) {}

    // Concurrent.
    private final NavigableMap<byte[], Versioned> map = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final List<WeakReference<byte[]>> keys = Collections.synchronizedList(new ArrayList<>());
    private final List<String> callers = Collections.synchronizedList(new ArrayList<>());
    private final List<Gate> gates = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong versions = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong pulledRecords = new AtomicLong();
    private final AtomicInteger openCursors = new AtomicInteger();
    private final AtomicInteger concurrentPulls = new AtomicInteger();
    private final @Nullable GroupCommit commit;

    // Set by tests.
    private volatile @Nullable Gate readGate;
    /// The steps of writes, by the moment at which they are begun; none unless it is set.
    volatile @Nullable LongFunction<Write.Steps> steps;

    private volatile @Nullable Gate commitGate;
    private volatile @Nullable Gate scanGate;
    private volatile @Nullable Throwable readFailure;
    private volatile @Nullable EngineException writeFailure;
    private volatile @Nullable RuntimeException submitFailure;
    private volatile @Nullable RuntimeException scanFailure;
    private volatile long failScanAfter = Long.MAX_VALUE;
    private volatile Health health = new Health(List.of(
            new Health.Check(Health.READS, true, "in memory"), new Health.Check(Health.WRITES, true, "in memory")));
    private volatile ActivitySink observer = ActivitySink.NONE;
    private volatile boolean slowReads;
    private volatile boolean shortRanges;
    private volatile boolean recording = true;
    private volatile boolean closed;
    private volatile boolean pullsOverlapped;

    public MemoryEngine() {
        this(false);
    }

    private MemoryEngine(boolean inline) {
        commit = inline
                ? null
                : new GroupCommit("memory-commit", GroupCommit.Options.DEFAULT, new GroupCommit.Log() {
                    @Override
                    public void commit(List<Write> group) {
                        commitGroup(group);
                    }

                    @Override
                    public long idleDueNanos() {
                        return 1_000_000_000L;
                    }

                    @Override
                    public void idle() {}

                    @Override
                    public void finish() {}
                });
    }

    /// An engine that commits each write by itself, within the call that submits it.
    public static MemoryEngine inline() {
        return new MemoryEngine(true);
    }

    public void blockReads(@Nullable Gate gate) {
        remember(gate);
        readGate = gate;
    }

    public void blockCommits(@Nullable Gate gate) {
        remember(gate);
        commitGate = gate;
    }

    public void blockScans(@Nullable Gate gate) {
        remember(gate);
        scanGate = gate;
    }

    /// Opens all gates, so that a failed test does not hang.
    public void openGates() {
        blockReads(null);
        blockCommits(null);
        blockScans(null);
        gates.forEach(Gate::open);
    }

    private void remember(@Nullable Gate gate) {
        if (gate != null) {
            gates.add(gate);
        }
    }

    /// Whether short ranges are read without a worker.
    public void shortRanges(boolean wanted) {
        shortRanges = wanted;
    }

    /// Has reads block, as those of a cold table do: calls that may not block answer so.
    public void slowReads(boolean slow) {
        slowReads = slow;
    }

    public void failReads(@Nullable Throwable failure) {
        readFailure = failure;
    }

    public void failWrites(@Nullable EngineException failure) {
        writeFailure = failure;
    }

    public void throwOnSubmit(@Nullable RuntimeException failure) {
        submitFailure = failure;
    }

    public void failScans(long afterRecords, @Nullable RuntimeException failure) {
        failScanAfter = afterRecords;
        scanFailure = failure;
    }

    public void health(Health newHealth) {
        health = newHealth;
    }

    public void record(boolean on) {
        recording = on;
    }

    /// Every call so far, such as `get 6b6579`.
    public List<String> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /// The number of keys of these calls that are still referenced, without stored ones.
    public long keysHeld() {
        synchronized (keys) {
            return keys.stream().filter(key -> !key.refersTo(null)).count();
        }
    }

    /// Forgets all calls so far.
    public void forgetCalls() {
        calls.clear();
        keys.clear();
        callers.clear();
    }

    public long pulledRecords() {
        return pulledRecords.get();
    }

    public int openCursors() {
        return openCursors.get();
    }

    public boolean pullsOverlapped() {
        return pullsOverlapped;
    }

    /// Puts without a group, for setting a test up.
    public void load(byte[] key, byte[] value) {
        map.put(key, new Versioned(value, versions.incrementAndGet(), Mutation.Put.NEVER));
    }

    public byte @Nullable [] stored(byte[] key) {
        Versioned found = map.get(key);
        return found == null ? null : found.value();
    }

    public long expiry(byte[] key) {
        Versioned found = map.get(key);
        return found == null ? Mutation.Put.NEVER : found.expiresAtMillis();
    }

    @Override
    public Lookup tryGet(byte[] key) {
        if (readGate != null || slowReads) {
            return Lookup.Miss.WOULD_BLOCK;
        }
        return get(key);
    }

    @Override
    public Lookup get(byte[] key) {
        note("get", key);
        ensureOpen();
        Gate gate = readGate;
        if (gate != null) {
            gate.pass();
        }
        Throwable failure = readFailure;
        if (failure != null) {
            throw sneaky(failure);
        }
        return lookup(key);
    }

    /// Notes each key as a scan, as it was when one scan read one key.
    @Override
    public void read(List<byte[]> wanted, RecordSink records) {
        ensureOpen();
        wanted.forEach(key -> note("scan", key));
        synchronized (map) {
            for (byte[] key : wanted) {
                Versioned found = map.get(key);
                if (found != null) {
                    records.take(key, found.value(), found.version(), found.expiresAtMillis());
                }
            }
        }
        Gate gate = scanGate;
        if (gate != null) {
            gate.pass();
        }
    }

    @Override
    public Lookup tryGet(byte[] key, Lookup.Filter filter) {
        return readGate != null || slowReads ? Lookup.Miss.WOULD_BLOCK : get(key, filter);
    }

    /// Notes a value that is read as `get`, another as `look`.
    @Override
    public Lookup get(byte[] key, Lookup.Filter filter) {
        Versioned found = map.get(key);
        if (found != null && !filter.wants(found.version(), found.value().length)) {
            note("look", key);
            return new Lookup.Described(found.version(), found.value().length);
        }
        return get(key);
    }

    @Override
    public void submit(Write write) {
        Limits.DEFAULT.check(write.batch());
        for (Mutation mutation : write.batch().mutations()) {
            note(mutation instanceof Mutation.Put ? "put" : "delete", mutation.key());
        }
        RuntimeException failure = submitFailure;
        if (failure != null) {
            throw failure;
        }
        if (commit == null) {
            commitGroup(List.of(write));
            write.sink().completed(write);
            write.sink().wake();
        } else {
            commit.submit(write);
        }
    }

    /// From memory, once [#shortRanges] allows it.
    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        if (!shortRanges || slowReads) {
            return Reach.WOULD_BLOCK;
        }
        long leftBytes = maxBytes;
        try (Cursor cursor = scan(range)) {
            while (cursor.next()) {
                leftBytes -= (long) cursor.key().length + cursor.value().length;
                if (leftBytes < 0) {
                    return Reach.TOO_LONG;
                }
                records.take(cursor.key(), cursor.value(), cursor.version(), cursor.expiresAtMillis());
            }
        }
        return Reach.WHOLE;
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        note("scan", from);
        ensureOpen();
        NavigableMap<byte[], Versioned> tail = map.tailMap(from, true);
        boolean empty = to != null && Arrays.compareUnsigned(from, to) >= 0;
        NavigableMap<byte[], Versioned> range = empty
                ? new TreeMap<>(Arrays::compareUnsigned)
                : new TreeMap<>(to == null ? tail : tail.headMap(to, false));
        openCursors.incrementAndGet();
        return new MapCursor(range.entrySet().iterator());
    }

    /// Whom the engine tells what it does.
    public ActivitySink observer() {
        return observer;
    }

    @Override
    public void observe(ActivitySink sink) {
        observer = sink;
    }

    @Override
    public Health health() {
        note("health", new byte[0]);
        return health;
    }

    @Override
    public void close() {
        closed = true;
        if (commit != null) {
            commit.close();
        }
    }

    private Lookup lookup(byte[] key) {
        Versioned found = map.get(key);
        return found == null ? Lookup.Miss.ABSENT : new Lookup.Found(found.value(), found.version());
    }

    /// Writes that were committed.
    public long commits() {
        return commits.get();
    }

    /// Groups that were committed: what would have been syncs.
    public long groups() {
        return groups.get();
    }

    private void commitGroup(List<Write> group) {
        groups.incrementAndGet();
        commits.addAndGet(group.size());
        Gate gate = commitGate;
        if (gate != null) {
            gate.pass();
        }
        for (Write write : group) {
            EngineException failure = writeFailure;
            if (failure != null) {
                write.failed(failure);
            } else if (!write.batch().holds(this::lookup)) {
                write.refused();
            } else {
                synchronized (map) {
                    write.batch().mutations().forEach(this::apply);
                }
                LongFunction<Write.Steps> took = steps;
                if (took != null) {
                    write.took(took.apply(System.nanoTime()));
                }
                write.applied(versions.get());
            }
        }
    }

    private void apply(Mutation mutation) {
        long version = versions.incrementAndGet();
        switch (mutation) {
            case Mutation.Put(byte[] key, byte[] value, long expiry) ->
                map.put(key, new Versioned(value, version, expiry));
            case Mutation.Delete(byte[] key) -> map.remove(key);
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }

    /// The names of the threads that called, in the order of [#calls].
    public List<String> callers() {
        synchronized (callers) {
            return List.copyOf(callers);
        }
    }

    private void note(String call, byte[] key) {
        if (recording) {
            calls.add(call + " " + HexFormat.of().formatHex(key));
            keys.add(new WeakReference<>(key));
            callers.add(Thread.currentThread().getName());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private final class MapCursor implements Cursor {
        private final Iterator<Map.Entry<byte[], Versioned>> records;
        private Map.@Nullable Entry<byte[], Versioned> current;
        private long given;
        private boolean cursorClosed;

        MapCursor(Iterator<Map.Entry<byte[], Versioned>> records) {
            this.records = records;
        }

        @Override
        public boolean next() {
            pullsOverlapped |= concurrentPulls.incrementAndGet() > 1;
            try {
                return advance();
            } finally {
                concurrentPulls.decrementAndGet();
            }
        }

        private boolean advance() {
            if (cursorClosed) {
                throw new IllegalStateException("pulled a closed cursor");
            }
            Gate gate = scanGate;
            if (gate != null) {
                gate.pass();
            }
            RuntimeException failure = scanFailure;
            if (failure != null && given >= failScanAfter) {
                throw failure;
            }
            if (!records.hasNext()) {
                current = null;
                return false;
            }
            current = records.next();
            given++;
            pulledRecords.incrementAndGet();
            return true;
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
            return entry().getValue().expiresAtMillis();
        }

        @Override
        public void close() {
            if (!cursorClosed) {
                cursorClosed = true;
                openCursors.decrementAndGet();
            }
        }

        private Map.Entry<byte[], Versioned> entry() {
            Map.Entry<byte[], Versioned> entry = current;
            if (entry == null) {
                throw new IllegalStateException("no current record");
            }
            return entry;
        }
    }
}
