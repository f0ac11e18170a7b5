package kvant.rocksdb;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.directory.DataDirectory;
import kvant.engine.directory.DirectoryWatch;
import kvant.engine.kit.ExpiryClock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/// Turns each commit group into one native batch and one native write.
///
/// Runs on the commit thread, the only writer of the store. That makes versions simple: RocksDB numbers the
/// mutations of a batch one after the other, starting behind `getLatestSequenceNumber()`, and keeps that
/// number across restarts; so the version of a value is the very sequence number under which RocksDB stores
/// it.
///
///     OPEN --sync or append failed--> DEAD (every further write fails until a restart)
final class BatchCommit implements GroupCommit.Log {

    // Verdicts on a write, in the place of the last version of one that is applied.
    private static final long REFUSED = -1;
    private static final long UNREADABLE = -2;
    private static final long HOLDS = -3;

    // Constant.
    private final Database database;
    private final ExpiryClock clock;
    private final DirectoryWatch place;
    private final long syncWithinNanos;

    // Owned by the commit thread.
    private final PendingState pending = new PendingState();
    private long[] lastVersions = new long[256];
    private boolean unsynced;
    private long syncDueNanoTime;

    // Written by the commit thread, read by probes.
    private volatile @Nullable EngineException death;
    private volatile boolean full;

    /// @param directory checked before each group for its presence
    BatchCommit(Database database, Durability durability, ExpiryClock clock, DataDirectory directory) {
        this.database = database;
        this.clock = clock;
        this.place = new DirectoryWatch(directory::displaced);
        this.syncWithinNanos = switch (durability) {
            case Durability.Interval interval -> interval.interval().toNanos();
            case Durability.Always _, Durability.None _ -> Long.MAX_VALUE;
        };
    }

    /// Why no write is acknowledged any more, or null.
    @Nullable
    EngineException death() {
        return death;
    }

    /// Whether the last write found the disk full.
    boolean full() {
        return full;
    }

    @Override
    public void commit(List<Write> group) {
        String displaced = place.displaced();
        if (displaced != null && death == null) {
            death = new EngineException.LogFailed(displaced + "; writes have stopped: bring it back and restart");
        }
        EngineException dead = death;
        if (dead != null) {
            failAll(group, dead);
            return;
        }
        try (WriteBatch batch = new WriteBatch()) {
            fill(batch, group);
            if (batch.count() > 0) {
                database.rocks.write(database.write, batch);
                written();
            }
            settle(group);
        } catch (RocksDBException e) {
            failAll(group, failed(e));
        } finally {
            pending.clear();
        }
    }

    /// Evaluates the conditions of the group's writes in their order and collects the mutations to apply.
    private void fill(WriteBatch batch, List<Write> group) throws RocksDBException {
        boolean conditional = anyConditional(group);
        if (lastVersions.length < group.size()) {
            lastVersions = new long[group.size() * 2];
        }
        long version = database.rocks.getLatestSequenceNumber();
        for (int i = 0; i < group.size(); i++) {
            long verdict = judge(group.get(i));
            if (verdict != HOLDS) {
                lastVersions[i] = verdict;
                continue;
            }
            List<Mutation> mutations = group.get(i).batch().mutations();
            for (int m = 0; m < mutations.size(); m++) {
                Mutation mutation = mutations.get(m);
                version++;
                add(batch, mutation, version);
                if (conditional) {
                    pending.applied(mutation, version);
                }
            }
            lastVersions[i] = version;
        }
    }

    private void add(WriteBatch batch, Mutation mutation, long version) throws RocksDBException {
        switch (mutation) {
            case Mutation.Put put -> {
                if (put.expiresAtMillis() != Mutation.Put.NEVER) {
                    clock.written(put.expiresAtMillis(), version);
                }
                batch.put(put.key(), ValueLayout.encode(put, version));
            }
            case Mutation.Delete delete -> batch.delete(delete.key());
        }
    }

    /// A key that cannot be read fails the write that asked for it, and no other of the group.
    private long judge(Write write) {
        if (!write.batch().isConditional()) {
            return HOLDS;
        }
        try {
            return write.batch().holds(this::current) ? HOLDS : REFUSED;
        } catch (RocksDBException e) {
            write.failed(RocksDbErrors.ofRead(e, database.path));
        } catch (EngineException e) {
            write.failed(e);
        }
        return UNREADABLE;
    }

    private Lookup current(byte[] key) throws RocksDBException {
        Lookup inGroup = pending.lookup(key, clock);
        if (inGroup != null) {
            return inGroup;
        }
        return database.get(database.read, key, Lookup.Filter.NONE, clock);
    }

    /// Sets the outcomes, only after the write: a refusal may depend on a write of the same group, which had to
    /// succeed first.
    private void settle(List<Write> group) {
        for (int i = 0; i < group.size(); i++) {
            if (lastVersions[i] == REFUSED) {
                group.get(i).refused();
            } else if (lastVersions[i] != UNREADABLE) {
                group.get(i).applied(lastVersions[i]);
            }
        }
    }

    private void written() {
        full = false;
        if (!unsynced && syncWithinNanos != Long.MAX_VALUE) {
            unsynced = true;
            syncDueNanoTime = System.nanoTime() + syncWithinNanos;
        }
    }

    private EngineException failed(RocksDBException e) {
        EngineException failure = RocksDbErrors.ofWrite(e, database.path);
        switch (failure) {
            case EngineException.StorageFull _ -> full = true;
            case EngineException.LogFailed _ -> {
                death = failure;
                return new EngineException.OutcomeUnknown(failure.getMessage() + "; a restart may find this write");
            }
            case EngineException.Corruption _ -> death = failure;
            default -> {}
        }
        return failure;
    }

    @Override
    public long idleDueNanos() {
        return unsynced ? syncDueNanoTime - System.nanoTime() : Long.MAX_VALUE;
    }

    @Override
    public void idle() {
        if (unsynced && syncDueNanoTime - System.nanoTime() <= 0) {
            sync();
        }
    }

    @Override
    public void finish() {
        sync();
    }

    /// A failed sync is never repeated: a second one could succeed although the data is gone.
    private void sync() {
        unsynced = false;
        if (death != null) {
            return;
        }
        try {
            database.rocks.flushWal(true);
        } catch (RocksDBException e) {
            failed(e);
        }
    }

    private static void failAll(List<Write> group, EngineException reason) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).outcome() == Write.Outcome.PENDING) {
                group.get(i).failed(reason);
            }
        }
    }

    private static boolean anyConditional(List<Write> group) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).batch().isConditional()) {
                return true;
            }
        }
        return false;
    }

    /// The effects of the writes in a group being assembled: conditions later in the same group must see them, and
    /// RocksDB does not show them yet.
    ///
    /// A map rather than RocksDB's own `WriteBatchWithIndex`: that one would index the mutations of every group,
    /// while this one is filled only for groups that hold a condition.
    private static final class PendingState {

        /// A mutation and the version it will have.
        private record Pending(Mutation mutation, long version) {}

        private final Map<ByteBuffer, Pending> byKey = new HashMap<>();

        void applied(Mutation mutation, long version) {
            byKey.put(ByteBuffer.wrap(mutation.key()), new Pending(mutation, version));
        }

        /// @return null when no write of the group has touched the key
        @Nullable
        Lookup lookup(byte[] key, ExpiryClock clock) {
            Pending pending = byKey.get(ByteBuffer.wrap(key));
            if (pending == null) {
                return null;
            }
            return switch (pending.mutation()) {
                case Mutation.Put put
                when !ValueLayout.expired(put.expiresAtMillis(), pending.version(), clock) ->
                    new Lookup.Found(put.value(), pending.version());
                case Mutation.Put _, Mutation.Delete _ -> Lookup.Miss.ABSENT;
            };
        }

        void clear() {
            byKey.clear();
        }
    }
}
