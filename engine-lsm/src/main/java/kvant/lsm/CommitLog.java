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
import kvant.lsm.version.LogInfo;
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

    // Commit thread.
    private final Payload payload = new Payload();
    private final List<Write> accepted = new ArrayList<>();
    private final List<Write> refused = new ArrayList<>();
    private final List<Long> activeLogs = new ArrayList<>();
    private RecordWriter log;
    private long lastSequence;
    private long unsyncedSinceNanos;

    /// @param recoveredLogs logs whose records are in the active memtable
    CommitLog(
            Storage storage,
            LsmOptions options,
            Store store,
            SpaceGuard space,
            FileHeader.Predecessor predecessor,
            List<Long> recoveredLogs,
            List<Long> emptyLogs)
            throws IOException {
        this.storage = storage;
        this.options = options;
        this.store = store;
        this.space = space;
        this.lastSequence = store.visibleSequence();
        this.activeLogs.addAll(recoveredLogs);
        this.log = beginLog(predecessor, emptyLogs);
        this.activeLogs.add(log.header().number());
    }

    @Override
    public void commit(List<Write> group) {
        EngineException refusal = refusal();
        if (refusal != null) {
            failAll(group, refusal);
            return;
        }
        long firstSequence = lastSequence + 1;
        judge(group);
        if (!accepted.isEmpty()) {
            try {
                append(firstSequence);
                syncAsPromised();
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
        if (options.durability() instanceof Durability.Interval interval && log.hasUnsynced()) {
            long elapsedNanos = System.nanoTime() - unsyncedSinceNanos;
            dueNanos = Math.min(dueNanos, interval.interval().toNanos() - elapsedNanos);
        }
        return dueNanos;
    }

    @Override
    public void idle() {
        if (store.writeFailure() != null) {
            return;
        }
        if (space.dueNanos() <= 0) {
            space.check();
        }
        if (log.hasUnsynced()) {
            try {
                syncAsPromised();
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    @Override
    public void finish() {
        try (RecordWriter _ = log) {
            if (store.writeFailure() == null) {
                endLog();
            }
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
        if (!log.hasUnsynced()) {
            unsyncedSinceNanos = System.nanoTime();
        }
        long before = log.size();
        log.append(RecordType.GROUP, firstSequence, payload);
        store.operations().figures().logged(payload.size(), log.size() - before);
    }

    private void syncAsPromised() throws IOException {
        switch (options.durability()) {
            case Durability.Always _ -> log.sync();
            case Durability.Interval interval -> {
                if (System.nanoTime() - unsyncedSinceNanos
                        >= interval.interval().toNanos()) {
                    log.sync();
                }
            }
            case Durability.None _ -> {}
        }
    }

    /// What a failed append or sync means. Only a full disk is something to go on after: the record has been
    /// taken back, and nothing that was synced is in doubt.
    private EngineException failed(IOException e) {
        if (e instanceof StorageFullException) {
            return space.full();
        }
        store.failWrites(
                "the log " + storage.describe(FileNames.log(log.header().number())) + " failed", e);
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

    // Logs.

    /// Starts a new memtable and log when the memtable is full.
    ///
    /// @return why that is not possible, or null
    private @Nullable EngineException makeRoom() {
        Memtable active = store.current().active();
        if (active.isEmpty()
                || active.bytes() < options.memtableBytes()
                        && !store.operations().isSealRequested()) {
            return null;
        }
        EngineException trouble = store.awaitRoomToSeal();
        if (trouble != null) {
            return trouble;
        }
        boolean decided = false;
        try {
            RecordWriter next = beginLog(endLog(), List.of());
            store.seal(activeLogs);
            activeLogs.clear();
            useLog(next);
            decided = true;
            return null;
        } catch (IOException e) {
            decided = true;
            return failed(e);
        } finally {
            failUnless(decided, "the change of logs");
        }
    }

    /// An exception that nobody expects leaves the files in a state that nobody knows.
    private void failUnless(boolean decided, String what) {
        if (!decided) {
            store.failWrites(what + " broke off", new IOException("see the log of the process"));
        }
    }

    /// Finishes the log with a record that vouches for all before it.
    private FileHeader.Predecessor endLog() throws IOException {
        log.sync();
        long size = log.size();
        payload.clear();
        log.append(RecordType.END, lastSequence + 1, payload);
        log.sync();
        return new FileHeader.Predecessor(log.header().number(), size, lastSequence);
    }

    private RecordWriter beginLog(FileHeader.Predecessor predecessor, List<Long> emptyLogs) throws IOException {
        long number = store.nextFileNumber();
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, options.random().nextLong(), number, predecessor);
        RecordWriter next = RecordWriter.create(storage, FileNames.log(number), header);
        boolean begun = false;
        try {
            store.addLog(new LogInfo(number, header.id()), emptyLogs);
            begun = true;
            return next;
        } catch (StorageFullException e) {
            storage.delete(FileNames.log(number)); // it will be tried again and again
            throw e;
        } finally {
            if (!begun) {
                next.close(); // the manifest may know the file: the next start will tell
            }
        }
    }

    private void useLog(RecordWriter next) {
        RecordWriter full = log;
        log = next;
        activeLogs.add(next.header().number());
        try {
            full.close();
        } catch (IOException _) {
            // All of it is durable: this costs a file descriptor, no data.
        }
    }
}
