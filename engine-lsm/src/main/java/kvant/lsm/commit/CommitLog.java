package kvant.lsm.commit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.MetricSink;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.directory.DirectoryWatch;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Tag;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreHealth;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;
import kvant.lsm.wal.RecoveredLogs;
import org.jspecify.annotations.Nullable;

/// The write path: evaluate conditions, append to the log, sync, apply to the memtable, acknowledge.
///
/// Everything here belongs to the commit thread, which is never interrupted. A write becomes visible only after it is
/// durable, so that no read sees a write that a crash could take back.
public final class CommitLog implements GroupCommit.Log {

    /// Shortest interval of flushes to make room with memtables that are not full: else each write would have a table
    /// of its own.
    private static final long FLUSH_FOR_ROOM_NANOS = Duration.ofSeconds(1).toNanos();

    /// Shortest reported sync: shorter ones happen all the time on some disks, and would push out other activities.
    private static final long SYNC_TOLD_NANOS = Duration.ofMillis(5).toNanos();
    private static final long CHANGE_TOLD_NANOS = Duration.ofMillis(1).toNanos();

    private static final byte[] NO_VALUE = new byte[0];

    // Constant.
    private final Store store;
    private final Durability durability;
    private final StoreHealth health;
    private final SpaceGuard space;
    private final LogFailure.DescriptorGuard descriptors = new LogFailure.DescriptorGuard();
    private final DirectoryWatch place;
    private final CommitFigures figures = new CommitFigures();
    private final WriteStall stall;
    private final LogFiles logs;
    private final LogFailure failures;

    // Commit thread.
    private final GroupJudge judged;
    private long lastSequence;
    private long appendedNanos;
    private long syncNanos;
    private long unsyncedSinceNanos;
    private boolean deletionsWait; // in the active memtable
    private long nextFlushNanos = System.nanoTime();

    /// Begins a log.
    ///
    /// @param recovered the logs before it
    public CommitLog(Store store, WriteThrottle throttle, RecoveredLogs recovered) throws IOException {
        this.store = store;
        this.durability = store.options().durability();
        this.health = store.health();
        this.space = new SpaceGuard(
                store.storage(),
                store.options().headroomBytes(),
                store.options().maxDataBytes(),
                () -> Store.bytesOf(store.readers().current()),
                new SpaceGuard.Spare(store::releaseOfScans, store::releaseLogs, store::breakOffScans));
        this.place = new DirectoryWatch(store.storage()::displaced);
        this.stall = new WriteStall(store, throttle, figures);
        this.judged = new GroupJudge(store.readers(), store.clock());
        this.lastSequence = store.readers().visibleSequence();
        this.deletionsWait = !store.active().isEmpty(); // perhaps: it is from the logs
        this.logs = new LogFiles(store, figures, recovered);
        this.failures = new LogFailure(store, logs, space, descriptors);
    }

    @Override
    public void commit(List<Write> group) {
        EngineException failure = standingFailure();
        List<Write> admitted = failure == null ? space.admit(group) : group;
        if (admitted.isEmpty()) {
            return;
        }
        EngineException refusal = failure == null ? makeRoom() : failure;
        if (refusal != null) {
            failAll(admitted, refusal);
            return;
        }
        write(admitted);
    }

    private void write(List<Write> group) {
        CommitEvent.Group event = new CommitEvent.Group();
        long beganNanos = event.beginNow();
        long waitNanos = beganNanos - group.getFirst().queuedNanos();
        long firstSequence = lastSequence + 1;
        judged.judge(group, firstSequence);
        EngineException failure = judged.accepted().isEmpty() ? null : logAndApply(firstSequence, waitNanos, event);
        if (failure != null) {
            failAll(judged.accepted(), failure);
            failAll(judged.refused(), failure);
            return;
        }
        settle(firstSequence, new Write.Steps(beganNanos, appendedNanos, appendedNanos + syncNanos, System.nanoTime()));
    }

    /// Appends the accepted writes to the log, and then applies them to the memtable. After an error between the two,
    /// such as one of memory, only a restart can show the content of the log, so nothing may be written behind it
    /// until then.
    ///
    /// @return the reason why they were taken back, or null
    private @Nullable EngineException logAndApply(long firstSequence, long waitNanos, CommitEvent.Group event) {
        boolean decided = false;
        try {
            lastSequence = judged.lastSequence();
            long sizeBefore = logs.current().size();
            append(firstSequence);
            appendedNanos = System.nanoTime();
            syncAsPromised();
            long bytes = logs.current().size() - sizeBefore;
            stall.took(bytes);
            figures.committed(judged.accepted().size(), waitNanos);
            event.end(judged.accepted().size(), bytes, waitNanos, syncNanos);
            apply(firstSequence);
            store.publish(lastSequence);
            tellDurable();
            decided = true;
            return null;
        } catch (IOException e) {
            decided = true;
            lastSequence = firstSequence - 1;
            return failures.ofGroup(e);
        } finally {
            failures.unless(decided, "the commit of a group");
        }
    }

    @Override
    public long idleDueNanos() {
        if (health.writeFailure() != null) {
            return Long.MAX_VALUE;
        }
        long dueNanos = space.dueNanos(); // else a full disk would look full until the next write comes
        if (durability instanceof Durability.Interval interval) {
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
        if (health.writeFailure() != null) {
            return;
        }
        if (space.dueNanos() <= 0) {
            space.check();
        }
        flushForRoom();
        if (logs.current().hasUnsynced()) {
            try {
                syncAsPromised();
                tellDurable();
            } catch (IOException e) {
                failures.of(e);
            }
        }
    }

    @Override
    public void finish() {
        try {
            logs.close(lastSequence, health.writeFailure() == null);
        } catch (IOException e) {
            failures.of(e);
        }
        failures.awaitFlush();
    }

    /// The reason why no write can be accepted, as of the last check, or null. Any thread may ask.
    public @Nullable EngineException standingRefusal() {
        EngineException failure = health.writeFailure();
        return failure != null ? failure : space.refusal();
    }

    /// Whether writes are refused until there is room, as of the last check. Any thread may ask.
    public boolean lacksRoom() {
        return space.refusal() != null;
    }

    public void measure(MetricSink sink, GroupCommit commits) {
        figures.measure(sink, commits, store.backlog().now());
    }

    // Making room.

    /// Why no write can be taken until a restart, or null.
    private @Nullable EngineException standingFailure() {
        EngineException failure = health.writeFailure();
        if (failure != null) {
            return failure;
        }
        String displaced = place.displaced();
        if (displaced == null) {
            return null;
        }
        syncDisplaced();
        return health.stopWrites(displaced + "; writes have stopped: bring it back and restart");
    }

    /// Syncs writes acknowledged before their sync, after the directory was displaced: its log is still open.
    private void syncDisplaced() {
        try {
            if (logs.current().hasUnsynced()) {
                logs.sync();
            }
        } catch (IOException _) {
            // There may be no disk behind it any more.
        }
    }

    /// Waits as long as flush and compaction ask for, and then for a new memtable and log where those are full.
    ///
    /// @return why that is not possible, or null
    @Nullable
    EngineException makeRoom() {
        boolean decided = false;
        try {
            syncWhatCannotWait();
            EngineException refusal = stall.hold();
            boolean seals = refusal == null && (isFlushAwaited() || store.room().isFull(store.active()));
            refusal = seals ? descriptors.refusal() : refusal;
            if (refusal == null) {
                changeLogs(seals);
            }
            tellDurable();
            decided = true;
            return refusal;
        } catch (IOException e) {
            decided = true;
            return failures.of(e);
        } finally {
            failures.unless(decided, "the change of logs");
        }
    }

    private void changeLogs(boolean seals) throws IOException {
        long beginNanos = System.nanoTime();
        if (seals) {
            boolean isAwaited = isFlushAwaited(); // first: the next line puts that off
            nextFlushNanos = beginNanos + FLUSH_FOR_ROOM_NANOS; // also of one that fails: it may end the log once more
            logs.seal(lastSequence, isAwaited);
            deletionsWait = false;
            space.logBegan();
        } else {
            logs.rotateIfReady(lastSequence);
        }
        tellIfLong("log change", beginNanos, CHANGE_TOLD_NANOS);
    }

    /// Reports an activity that delayed all writes for long, because it may explain a slow write.
    private void tellIfLong(String what, long beginNanos, long leastNanos) {
        long nowNanos = System.nanoTime();
        if (nowNanos - beginNanos >= leastNanos) {
            store.figures().activities().during(what, beginNanos, nowNanos);
        }
    }

    /// Deletions free space on a full disk once they are merged with the values that they hide, and a memtable of a
    /// few deletions would not fill soon. The flush also releases logs that are in the way.
    private void flushForRoom() {
        if (flushMakesRoom() && stall.expectedNanos() <= 0) {
            makeRoom();
        }
    }

    /// Whether an operator has asked for a flush, or writes need one because they find no room.
    private boolean isFlushAwaited() {
        return (store.isSealRequested() || flushMakesRoom()) && !store.active().isEmpty();
    }

    /// Whether a flush frees space: on the disk of the tables by merged deletions, on a disk for logs alone by the
    /// logs that end with it. At most once a second.
    private boolean flushMakesRoom() {
        boolean makesRoom = deletionsWait && space.refusal() != null || space.logsAreShort() || logs.areShort();
        return makesRoom && System.nanoTime() - nextFlushNanos >= 0;
    }

    /// Syncs writes acknowledged before their sync in time, also while writes are stalled.
    private void syncWhatCannotWait() throws IOException {
        if (durability instanceof Durability.Interval interval) {
            long heldNanos = stall.expectedNanos();
            if (heldNanos > 0 && heldNanos >= syncDueNanos(interval)) {
                logs.sync();
            }
        }
    }

    // Making durable.

    private void append(long firstSequence) throws IOException {
        if (!logs.current().hasUnsynced()) {
            unsyncedSinceNanos = System.nanoTime();
        }
        RecordWriter log = logs.current();
        long before = log.size();
        log.append(RecordType.GROUP, firstSequence, judged.payload());
        logs.appended();
        store.figures().logged(judged.payload().size(), log.size() - before);
    }

    private void syncAsPromised() throws IOException {
        syncNanos = 0;
        switch (durability) {
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
        tellIfLong("log sync", beginNanos, SYNC_TOLD_NANOS);
    }

    /// Reports only synced writes to followers of changes: a sent change cannot be taken back.
    private void tellDurable() {
        if (!logs.current().hasUnsynced()) {
            store.durable().reached(lastSequence);
        }
    }

    // Applying.

    private void apply(long firstSequence) {
        Memtable active = store.active();
        List<Write> accepted = judged.accepted();
        long sequence = firstSequence;
        for (int i = 0; i < accepted.size(); i++) {
            List<Mutation> mutations = accepted.get(i).batch().mutations();
            for (int j = 0; j < mutations.size(); j++) {
                switch (mutations.get(j)) {
                    case Mutation.Delete delete -> {
                        active.add(sequence, Tag.DELETE, delete.key(), NO_VALUE, 0);
                        deletionsWait = true;
                    }
                    case Mutation.Put put ->
                        active.add(
                                sequence, GroupDescriptor.kindOf(put), put.key(), put.value(), put.expiresAtMillis());
                }
                sequence++;
            }
        }
    }

    private void settle(long firstSequence, Write.Steps steps) {
        long next = firstSequence;
        List<Write> accepted = judged.accepted();
        for (int i = 0; i < accepted.size(); i++) {
            Write write = accepted.get(i);
            next += write.batch().mutations().size();
            write.took(steps);
            write.applied(next - 1);
        }
        List<Write> refused = judged.refused();
        for (int i = 0; i < refused.size(); i++) {
            refused.get(i).refused();
        }
    }

    private static void failAll(List<Write> writes, EngineException reason) {
        for (int i = 0; i < writes.size(); i++) {
            writes.get(i).failed(reason);
        }
    }
}
