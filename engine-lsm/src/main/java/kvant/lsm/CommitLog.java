package kvant.lsm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.lsm.bytes.Keys;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;
import org.jspecify.annotations.Nullable;

/// The write path: judge, append to the log, sync, apply to the memtable, acknowledge.
///
/// Everything here belongs to the commit thread, which nobody interrupts. A write becomes visible after it
/// is durable, never before, so that nobody reads what a crash could take back.
final class CommitLog implements GroupCommit.Log {

    private static final byte[] NO_VALUE = new byte[0];

    // Constant.
    private final Storage storage;
    private final LsmOptions options;
    private final Store store;
    private final SpaceGuard space;
    private final CommitFigures figures;
    private final WriteStall stall;
    private final LogFiles logs;

    // Commit thread.
    private final Payload payload = new Payload();
    private final List<Write> accepted = new ArrayList<>();
    private final List<Write> refused = new ArrayList<>();
    private long lastSequence;
    private long syncNanos;
    private long unsyncedSinceNanos;

    /// @param recoveredLogs logs whose records are in the active memtable
    CommitLog(
            Storage storage,
            LsmOptions options,
            Store store,
            SpaceGuard space,
            CommitFigures figures,
            FileHeader.Predecessor predecessor,
            List<Long> recoveredLogs,
            List<Long> emptyLogs)
            throws IOException {
        this.storage = storage;
        this.options = options;
        this.store = store;
        this.space = space;
        this.figures = figures;
        this.stall = new WriteStall(options, store, figures);
        this.lastSequence = store.visibleSequence();
        this.logs = new LogFiles(storage, options, store, figures, predecessor, recoveredLogs, emptyLogs);
    }

    @Override
    public void commit(List<Write> group) {
        EngineException refusal = refusal();
        if (refusal != null) {
            failAll(group, refusal);
            return;
        }
        CommitGroupEvent event = new CommitGroupEvent();
        long waitNanos = event.beginNow() - group.getFirst().queuedNanos();
        long firstSequence = lastSequence + 1;
        judge(group);
        if (!accepted.isEmpty()) {
            long sizeBefore = logs.current().size();
            try {
                append(firstSequence);
                syncAsPromised();
                long bytes = logs.current().size() - sizeBefore;
                figures.committed(accepted.size(), waitNanos);
                event.end(accepted.size(), bytes, waitNanos, syncNanos);
            } catch (IOException e) {
                lastSequence = firstSequence - 1;
                EngineException failure = failed(e);
                failAll(accepted, failure);
                failAll(refused, failure);
                return;
            }
            apply(firstSequence);
            store.publish(lastSequence);
        }
        settle(firstSequence);
    }

    @Override
    public long idleDueNanos() {
        if (store.writeFailure() != null) {
            return Long.MAX_VALUE;
        }
        long dueNanos = space.dueNanos(); // else a full disk would look full until the next write comes
        if (options.durability() instanceof Durability.Interval interval) {
            dueNanos = Math.min(dueNanos, syncDueNanos(interval));
        }
        return dueNanos;
    }

    private long syncDueNanos(Durability.Interval interval) {
        return logs.current().hasUnsynced()
                ? interval.interval().toNanos() - (System.nanoTime() - unsyncedSinceNanos)
                : Long.MAX_VALUE;
    }

    @Override
    public void idle() {
        if (store.writeFailure() != null) {
            return;
        }
        if (space.dueNanos() <= 0) {
            space.check();
        }
        if (logs.current().hasUnsynced()) {
            try {
                syncAsPromised();
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    @Override
    public void finish() {
        try {
            logs.close(lastSequence, store.writeFailure() == null);
        } catch (IOException e) {
            failed(e);
        }
    }

    // Judging.

    /// Why no write can be taken now, or null.
    private @Nullable EngineException refusal() {
        EngineException failure = store.writeFailure();
        if (failure != null) {
            return failure;
        }
        EngineException full = space.check();
        return full != null ? full : makeRoom();
    }

    /// Waits for as long as flush and compaction ask for, and then for a new memtable and log where those are
    /// full.
    ///
    /// @return why that is not possible, or null
    @Nullable
    EngineException makeRoom() {
        boolean decided = false;
        try {
            syncWhatCannotWait();
            EngineException trouble = stall.hold();
            if (trouble == null) {
                if (mustSeal(store.current().active())) {
                    logs.seal(lastSequence);
                } else {
                    logs.rotateIfReady(lastSequence);
                }
            }
            decided = true;
            return trouble;
        } catch (IOException e) {
            decided = true;
            return failed(e);
        } finally {
            failUnless(decided, "the change of logs");
        }
    }

    private boolean mustSeal(Memtable active) {
        boolean asked = store.operations().isSealRequested() && !active.isEmpty();
        return asked || Backlog.mustSeal(active, options);
    }

    /// What was acknowledged before its sync is synced in its time, also while writes are held back.
    private void syncWhatCannotWait() throws IOException {
        if (options.durability() instanceof Durability.Interval interval) {
            long heldNanos = stall.expectedNanos();
            if (heldNanos > 0 && heldNanos >= syncDueNanos(interval)) {
                logs.sync();
            }
        }
    }

    /// Decides each write at its place in the order of all writes, and encodes the accepted ones.
    private void judge(List<Write> group) {
        payload.clear();
        accepted.clear();
        refused.clear();
        boolean conditional = isConditional(group);
        Map<byte[], Lookup> overlay = conditional ? new TreeMap<>(Keys::compare) : Map.of();
        for (int i = 0; i < group.size(); i++) {
            Write write = group.get(i);
            if (!holds(write, overlay)) {
                continue;
            }
            List<Mutation> mutations = write.batch().mutations();
            for (int j = 0; j < mutations.size(); j++) {
                Mutation mutation = mutations.get(j);
                GroupDescriptor.encode(mutation, payload);
                lastSequence++;
                if (conditional) {
                    overlay.put(mutation.key(), stateAfter(mutation, lastSequence));
                }
            }
            accepted.add(write);
        }
    }

    /// Sets a write aside whose condition does not hold, and fails one that cannot be judged. A refusal waits for
    /// the commit, because it may rest on a write of the same group, which has to succeed first.
    private boolean holds(Write write, Map<byte[], Lookup> overlay) {
        if (!write.batch().condition().needsRead()) {
            return true;
        }
        try {
            byte[] key = write.batch().mutations().getFirst().key();
            Lookup current = overlay.get(key);
            if (current == null) {
                current = store.find(key, true);
            }
            boolean holds = write.batch().condition().holds(current);
            if (!holds) {
                refused.add(write);
            }
            return holds;
        } catch (EngineException e) {
            write.failed(e);
            return false;
        }
    }

    private Lookup stateAfter(Mutation mutation, long sequence) {
        return switch (mutation) {
            case Mutation.Delete _ -> Lookup.Miss.ABSENT;
            case Mutation.Put put ->
                put.expiresAtMillis() != Mutation.Put.NEVER
                                && StoredValue.isExpired(
                                        put.expiresAtMillis(), options.clock().millis())
                        ? Lookup.Miss.ABSENT
                        : new Lookup.Found(put.value(), sequence);
        };
    }

    private static boolean isConditional(List<Write> group) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).batch().condition().needsRead()) {
                return true;
            }
        }
        return false;
    }

    // Making durable.

    private void append(long firstSequence) throws IOException {
        if (!logs.current().hasUnsynced()) {
            unsyncedSinceNanos = System.nanoTime();
        }
        RecordWriter log = logs.current();
        long before = log.size();
        log.append(RecordType.GROUP, firstSequence, payload);
        logs.appended();
        store.operations().figures().logged(payload.size(), log.size() - before);
    }

    private void syncAsPromised() throws IOException {
        syncNanos = 0;
        switch (options.durability()) {
            case Durability.Always _ -> sync();
            case Durability.Interval interval -> {
                if (syncDueNanos(interval) <= 0) {
                    sync();
                }
            }
            case Durability.None _ -> {}
        }
    }

    private void sync() throws IOException {
        long beginNanos = System.nanoTime();
        logs.sync();
        syncNanos = System.nanoTime() - beginNanos;
        figures.synced(syncNanos);
    }

    /// What a failed append or sync means. Only a full disk is something to go on after: the record has been
    /// taken back, and nothing that was synced is in doubt.
    private EngineException failed(IOException e) {
        if (e instanceof StorageFullException) {
            logs.giveRoomBack();
            return space.full();
        }
        store.failWrites(
                "the log "
                        + storage.describe(FileNames.log(logs.current().header().number())) + " failed",
                e);
        EngineException failure = store.writeFailure();
        return failure != null ? failure : new EngineException.LogFailed("the log failed");
    }

    // Applying.

    /// The log has these writes. Should the memory for them be missing here, only a restart can show them,
    /// so nothing may be written after them until then.
    private void apply(long firstSequence) {
        boolean applied = false;
        try {
            applyAll(firstSequence);
            applied = true;
        } finally {
            failUnless(applied, "filling the memtable");
        }
    }

    private void applyAll(long firstSequence) {
        Memtable active = store.current().active();
        long sequence = firstSequence;
        for (int i = 0; i < accepted.size(); i++) {
            List<Mutation> mutations = accepted.get(i).batch().mutations();
            for (int j = 0; j < mutations.size(); j++) {
                switch (mutations.get(j)) {
                    case Mutation.Delete delete -> active.add(sequence, Tag.DELETE, delete.key(), NO_VALUE, 0);
                    case Mutation.Put put ->
                        active.add(
                                sequence, GroupDescriptor.kindOf(put), put.key(), put.value(), put.expiresAtMillis());
                }
                sequence++;
            }
        }
    }

    private void settle(long firstSequence) {
        long next = firstSequence;
        for (int i = 0; i < accepted.size(); i++) {
            Write write = accepted.get(i);
            next += write.batch().mutations().size();
            write.applied(next - 1);
        }
        for (int i = 0; i < refused.size(); i++) {
            refused.get(i).refused();
        }
    }

    private static void failAll(List<Write> writes, EngineException reason) {
        for (int i = 0; i < writes.size(); i++) {
            writes.get(i).failed(reason);
        }
    }

    /// An exception that nobody expects leaves the files in a state that nobody knows.
    private void failUnless(boolean decided, String what) {
        if (!decided) {
            store.failWrites(what + " broke off", new IOException("see the log of the process"));
        }
    }
}
