package kvant.engine;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.directory.DataDirectory;
import org.jspecify.annotations.Nullable;

/// The simplest engine that keeps the contract: a map under a lock, saved to a file at a clean close.
///
/// It exists so that the contract suite proves itself: the suite passes on it, and fails on it for every
/// [Fault] that is planted. One commit thread changes the map; readers take the lock; a scan copies its
/// range.
final class ModelEngine implements LocalEngine, GroupCommit.Log {

    /// A value and what goes with it.
    record Stored(byte[] value, long version, long expiresAtMillis) {
        boolean visibleTo(Fault fault, Fault blindness) {
            return fault == blindness || !expired();
        }

        private boolean expired() {
            return expiresAtMillis != Mutation.Put.NEVER && expiresAtMillis <= System.currentTimeMillis();
        }
    }

    private static final long FLAW_NANOS = 20_000_000;

    /// The window of faults that need a race, wide enough that they do not depend on luck.
    private static final long RACE_WINDOW_NANOS = 200_000;

    // Constant.
    private final DataDirectory directory;
    private final Durability durability;
    private final Fault fault;
    private final GroupCommit commits;

    // Guarded by the map itself.
    private final NavigableMap<byte[], Stored> map;

    // Owned by the commit thread.
    private final List<Mutation> late = new ArrayList<>();
    private long version;

    // Atomic.
    private volatile boolean closed;

    private ModelEngine(DataDirectory directory, Durability durability, Fault fault) throws IOException {
        this.directory = directory;
        this.durability = durability;
        this.fault = fault;
        this.map = new TreeMap<>(fault == Fault.ORDERS_SIGNED ? Arrays::compare : Arrays::compareUnsigned);
        load();
        this.commits = new GroupCommit("model-commit", GroupCommit.Options.DEFAULT, this);
    }

    static ModelEngine open(Path path, Durability durability, Fault fault) {
        DataDirectory directory = DataDirectory.open(path, "model");
        try {
            return new ModelEngine(directory, durability, fault);
        } catch (IOException e) {
            directory.close();
            throw new EngineException.CannotOpen("cannot load " + path, e);
        }
    }

    @Override
    public Lookup tryGet(byte[] key) {
        Lookup found = get(key);
        return fault == Fault.TRY_GET_MISSES && found instanceof Lookup.Found ? Lookup.Miss.ABSENT : found;
    }

    @Override
    public Lookup get(byte[] key) {
        checkOpen();
        synchronized (map) {
            return judged(map.get(key), Fault.GET_SHOWS_EXPIRED);
        }
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        checkOpen();
        if (fault == Fault.READS_AT_SEVERAL_MOMENTS && keys.size() > 1) {
            for (byte[] key : keys) {
                read(List.of(key), records);
                LockSupport.parkNanos(RACE_WINDOW_NANOS);
            }
            return;
        }
        synchronized (map) {
            for (byte[] key : keys) {
                Stored stored = map.get(key);
                if (stored != null && stored.visibleTo(fault, Fault.READS_EXPIRED)) {
                    records.take(key, stored.value(), stored.version(), stored.expiresAtMillis());
                }
            }
        }
    }

    @Override
    public Lookup get(byte[] key, Lookup.Filter filter) {
        checkOpen();
        synchronized (map) {
            Lookup lookup = judged(map.get(key), Fault.DESCRIBES_EXPIRED);
            if (!(lookup instanceof Lookup.Found found)) {
                return lookup;
            }
            return switch (fault) {
                case READS_WHAT_IS_NOT_WANTED -> found;
                case LEAVES_WHAT_IS_WANTED -> new Lookup.Described(found.version(), found.value().length);
                default -> found.filtered(filter);
            };
        }
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        long leftBytes = maxBytes;
        long limit = fault == Fault.SHORT_RANGE_IGNORES_LIMIT ? Range.UNLIMITED : range.limit();
        try (Cursor cursor = scan(new Range(range.from(), range.to(), limit))) {
            while (cursor.next()) {
                leftBytes -= (long) cursor.key().length + cursor.value().length;
                if (leftBytes < 0 && fault != Fault.SHORT_RANGE_HAS_NO_END) {
                    return Reach.TOO_LONG;
                }
                long ends = fault == Fault.SHORT_RANGE_FORGETS_EXPIRY ? Mutation.Put.NEVER : cursor.expiresAtMillis();
                records.take(cursor.key(), cursor.value(), cursor.version(), ends);
            }
        }
        return Reach.WHOLE;
    }

    private Lookup judged(@Nullable Stored stored, Fault blindness) {
        if (stored == null || !stored.visibleTo(fault, blindness)) {
            return Lookup.Miss.ABSENT;
        }
        if (fault == Fault.TAKES_EMPTY_FOR_ABSENT && stored.value().length == 0) {
            return Lookup.Miss.ABSENT;
        }
        return new Lookup.Found(stored.value(), stored.version());
    }

    @Override
    public void submit(Write write) {
        if (fault != Fault.IGNORES_LIMITS) {
            Limits.DEFAULT.check(write.batch());
        }
        if (closed && fault == Fault.DROPS_WRITES_AFTER_CLOSE) {
            return;
        }
        if (fault == Fault.JUDGES_CONDITIONS_EARLY && !closed && !conditionHolds(write.batch())) {
            write.refused();
            write.sink().completed(write);
            write.sink().wake();
            return;
        }
        if (fault == Fault.JUDGES_CONDITIONS_EARLY) {
            LockSupport.parkNanos(RACE_WINDOW_NANOS);
        }
        commits.submit(write);
    }

    private boolean conditionHolds(WriteBatch batch) {
        WriteBatch judged = fault == Fault.JUDGES_NO_GUARDS ? batch.guardedBy(List.of()) : batch;
        synchronized (map) {
            return judged.holds(key -> judged(map.get(key), Fault.CONDITIONS_SEE_EXPIRED));
        }
    }

    @Override
    public void commit(List<Write> group) {
        List<Write> ordered = fault == Fault.REORDERS_WRITES ? group.reversed() : group;
        for (Write write : ordered) {
            boolean judged = fault == Fault.JUDGES_CONDITIONS_EARLY;
            if (!judged && !conditionHolds(write.batch())) {
                if (fault == Fault.APPLIES_REFUSED_TAIL) {
                    apply(write.batch()
                            .mutations()
                            .subList(1, write.batch().mutations().size()));
                }
                write.refused();
            } else {
                apply(write.batch().mutations());
                write.applied(version);
                if (fault == Fault.COMPLETES_TWICE) {
                    write.sink().completed(write);
                }
            }
        }
    }

    private void apply(List<Mutation> mutations) {
        if (fault == Fault.COMPLETES_BEFORE_VISIBLE) {
            late.addAll(mutations);
            return;
        }
        if (fault == Fault.SHOWS_HALF_BATCHES) {
            for (Mutation mutation : mutations) {
                applyTogether(List.of(mutation));
                LockSupport.parkNanos(RACE_WINDOW_NANOS);
            }
            return;
        }
        int size = mutations.size();
        switch (fault) {
            case LOSES_BATCH_TAIL -> applyTogether(mutations.subList(0, Math.max(1, size - 1)));
            case EARLIER_MUTATION_WINS -> applyTogether(mutations.reversed());
            default -> applyTogether(mutations);
        }
    }

    private void applyTogether(List<Mutation> mutations) {
        synchronized (map) {
            for (Mutation mutation : mutations) {
                long next = fault == Fault.VERSIONS_STAND_STILL ? version : ++version;
                switch (mutation) {
                    case Mutation.Put put -> map.put(put.key(), new Stored(put.value(), next, put.expiresAtMillis()));
                    case Mutation.Delete delete -> remove(delete.key(), next);
                }
            }
        }
    }

    private void remove(byte[] key, long next) {
        if (fault == Fault.SCAN_SHOWS_DELETED && map.containsKey(key)) {
            map.put(key, new Stored(DELETED, next, 1)); // expired, so that point reads pass over it
        } else {
            map.remove(key);
        }
    }

    private static final byte[] DELETED = {};

    @Override
    public long idleDueNanos() {
        return fault == Fault.COMPLETES_BEFORE_VISIBLE ? FLAW_NANOS : Long.MAX_VALUE;
    }

    @Override
    public void idle() {
        applyTogether(late);
        late.clear();
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        checkOpen();
        synchronized (map) {
            if (to != null && map.comparator().compare(from, to) >= 0) {
                return new ModelCursor(new TreeMap<>(map.comparator()));
            }
            boolean startIn = fault != Fault.SCAN_EXCLUDES_START;
            boolean endIn = fault == Fault.SCAN_INCLUDES_END;
            NavigableMap<byte[], Stored> range =
                    to == null ? map.tailMap(from, startIn) : map.subMap(from, startIn, to, endIn);
            return new ModelCursor(fault == Fault.SCAN_IS_LIVE ? range : new TreeMap<>(range));
        }
    }

    @Override
    public Cursor scan(Range range) {
        return switch (fault) {
            case SCAN_IGNORES_LIMIT -> scan(range.from(), range.to());
            case SCAN_LIMIT_IS_OFF_BY_ONE ->
                LocalEngine.super.scan(range.limit() == Range.UNLIMITED ? range : range.limit(range.limit() + 1));
            default -> LocalEngine.super.scan(range);
        };
    }

    /// Steps by key, so that a live range may change under it.
    private final class ModelCursor implements Cursor {
        private final NavigableMap<byte[], Stored> range;
        private final long openedAtMillis = System.currentTimeMillis();
        private Map.@Nullable Entry<byte[], Stored> entry;
        private boolean ended;

        ModelCursor(NavigableMap<byte[], Stored> range) {
            this.range = range;
        }

        @Override
        public boolean next() {
            synchronized (map) {
                while (!ended) {
                    entry = entry == null ? range.firstEntry() : range.higherEntry(entry.getKey());
                    ended = entry == null;
                    if (entry != null && visible(entry.getValue())) {
                        return true;
                    }
                }
                return false;
            }
        }

        private boolean visible(Stored stored) {
            boolean expired = stored.expiresAtMillis() != 0 && stored.expiresAtMillis() <= openedAtMillis;
            boolean deleted = stored.value() == DELETED;
            return !expired || (deleted ? fault == Fault.SCAN_SHOWS_DELETED : fault == Fault.SCAN_SHOWS_EXPIRED);
        }

        @Override
        public byte[] key() {
            return current().getKey();
        }

        @Override
        public byte[] value() {
            return current().getValue().value();
        }

        @Override
        public long version() {
            return current().getValue().version();
        }

        @Override
        public long expiresAtMillis() {
            boolean forgets = fault == Fault.SCAN_FORGETS_EXPIRY;
            return forgets ? Mutation.Put.NEVER : current().getValue().expiresAtMillis();
        }

        private Map.Entry<byte[], Stored> current() {
            Map.Entry<byte[], Stored> at = entry;
            if (at == null) {
                throw new IllegalStateException("no current record");
            }
            return at;
        }

        @Override
        public void close() {}
    }

    @Override
    public Health health() {
        List<Health.Check> checks = new ArrayList<>();
        checks.add(new Health.Check(Health.READS, true, "in memory"));
        checks.add(new Health.Check(Health.WRITES, fault != Fault.NEVER_READY, "in memory"));
        return new Health(checks);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            commits.close();
            directory.close();
        }
    }

    private void checkOpen() {
        if (closed && fault != Fault.READS_AFTER_CLOSE) {
            throw new EngineException.Closed();
        }
    }

    private Path file() {
        return directory.path().resolve("map");
    }

    @Override
    public void finish() {
        idle();
        if (fault == Fault.FORGETS_WITHOUT_SYNC && !durability.equals(Durability.ALWAYS)) {
            return;
        }
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file())))) {
            out.writeLong(fault == Fault.VERSIONS_RESTART ? 0 : version);
            out.writeInt(map.size());
            for (Map.Entry<byte[], Stored> entry : map.entrySet()) {
                Stored stored = entry.getValue();
                out.writeInt(entry.getKey().length);
                out.write(entry.getKey());
                out.writeLong(stored.version());
                out.writeLong(fault == Fault.FORGETS_EXPIRY ? Mutation.Put.NEVER : stored.expiresAtMillis());
                out.writeInt(stored.value().length);
                out.write(stored.value());
            }
        } catch (IOException e) {
            throw new EngineException.Io("cannot save", e);
        }
    }

    private void load() throws IOException {
        if (!Files.exists(file())) {
            return;
        }
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file())))) {
            version = in.readLong();
            for (int left = in.readInt(); left > 0; left--) {
                byte[] key = in.readNBytes(in.readInt());
                long stored = in.readLong();
                long expiresAtMillis = in.readLong();
                map.put(key, new Stored(in.readNBytes(in.readInt()), stored, expiresAtMillis));
            }
        }
    }
}
