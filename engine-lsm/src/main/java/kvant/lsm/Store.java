package kvant.lsm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.Table;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import org.jspecify.annotations.Nullable;

/// What the threads of the engine share: the current super version, and the few ways in which it changes.
///
/// Readers take no lock: they load the current super version once. Changes are made under the lock by three
/// threads: the commit thread seals memtables, the flush thread turns them into runs, the compaction thread
/// merges runs. All wait on one condition, which each change signals.
///
///     active --seal--> sealed (bounded) --flush--> run --compaction--> run
final class Store {

    /// A memtable that takes no more writes, and the logs that hold its records.
    record Sealed(Memtable memtable, List<Long> logs) {}

    // Constant.
    private final Storage storage;
    private final LsmOptions options;
    private final VersionSet versions;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final Deque<Sealed> sealed = new ArrayDeque<>(); // oldest first

    // Written under the lock or by the commit thread, read by anyone.
    private volatile SuperVersion current;
    private volatile long visibleSequence;
    private volatile EngineException.@Nullable LogFailed writeFailure;
    private volatile @Nullable EngineException flushTrouble;
    private volatile @Nullable EngineException compactionTrouble;
    private volatile ActivitySink activities = ActivitySink.NONE;
    private volatile boolean closing;
    private volatile boolean closed;

    Store(Storage storage, LsmOptions options, VersionSet versions, Memtable active, long lastSequence) {
        this.storage = storage;
        this.options = options;
        this.versions = versions;
        this.visibleSequence = lastSequence;
        versions.current().acquire();
        this.current = new SuperVersion(active, List.of(), versions.current());
    }

    // For readers.

    SuperVersion current() {
        return current;
    }

    InstantSource clock() {
        return options.clock();
    }

    /// Looks a key up in what is current.
    Lookup find(byte[] key, boolean mayBlock) {
        while (true) {
            refuseClosed();
            SuperVersion view = current;
            try {
                return view.find(key, options.clock(), mayBlock);
            } catch (Table.Retired e) {
                // A compaction replaced the table just now: what it held is in the newer super version.
                refuseRetired(view, e);
            } catch (InternalError e) {
                throw shortened(); // the JVM may throw it some instructions late, where no table is known
            }
        }
    }

    /// What an [InternalError] means that was not caught where its table is known.
    EngineException.Corruption shortened() {
        return new EngineException.Corruption(
                storage.describe(""), 0, "a table in it has been shortened while it was open");
    }

    /// A table is closed only after a newer super version is there. Should that ever not hold, looking again
    /// would never end.
    private void refuseRetired(SuperVersion view, Table.Retired cause) {
        if (view == current && !closed) {
            throw new EngineException.Io(
                    "a table in " + storage.describe("") + " was closed while it was part of the store: restart",
                    cause);
        }
    }

    private void refuseClosed() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }

    /// The current super version with a reference to its version, which the caller gives back by [#release].
    SuperVersion acquire() {
        while (true) {
            SuperVersion view = current;
            if (view.version().acquire()) {
                return view;
            }
        }
    }

    void release(SuperVersion view) {
        view.version().release();
        signal(); // files may have become obsolete
    }

    /// Every write up to this sequence number has been applied.
    long visibleSequence() {
        return visibleSequence;
    }

    // For the commit thread.

    /// Makes what was just added to the active memtable part of new snapshots.
    void publish(long sequence) {
        visibleSequence = sequence;
    }

    /// Begins a log: its name is durable and the manifest knows it before it gets a record.
    void addLog(LogInfo log, List<Long> emptyLogs) throws IOException {
        lock.lock();
        try {
            storage.syncDirectory();
            versions.apply(VersionEdit.logs(log, emptyLogs));
            publishVersion();
        } finally {
            lock.unlock();
        }
    }

    /// Seals the active memtable and puts a new one in its place.
    ///
    /// @param logs that hold its records
    void seal(List<Long> logs) {
        lock.lock();
        try {
            sealed.addLast(new Sealed(current.active(), List.copyOf(logs)));
            publish(new Memtable());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until one more memtable may be sealed.
    ///
    /// @return why waiting would be hanging, because flushing is in trouble; null when there is room
    @Nullable
    EngineException awaitRoomToSeal() {
        lock.lock();
        long stall = sealed.size() >= options.maxSealedMemtables() ? activities.began("write stall") : 0;
        try {
            while (sealed.size() >= options.maxSealedMemtables()) {
                EngineException trouble = flushTrouble;
                if (trouble != null) {
                    return trouble;
                }
                changed.awaitUninterruptibly();
            }
            return null;
        } finally {
            activities.ended(stall);
            lock.unlock();
        }
    }

    /// Whom to tell what is done besides answering.
    ActivitySink activities() {
        return activities;
    }

    void observe(ActivitySink sink) {
        activities = sink;
    }

    // For the flush thread and the compaction thread.

    /// The oldest sealed memtable; waits for one.
    ///
    /// @return null when the engine is being closed
    @Nullable
    Sealed awaitSealed() {
        lock.lock();
        try {
            while (sealed.isEmpty() && !closing) {
                changed.awaitUninterruptibly();
            }
            return closing ? null : sealed.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /// Replaces the oldest sealed memtable by the run that it became.
    void installFlush(Sealed flushed, List<TableInfo> tables) throws IOException {
        lock.lock();
        try {
            versions.apply(
                    VersionEdit.flush(tables, flushed.logs(), flushed.memtable().lastSequence()));
            sealed.removeFirst();
            publishVersion();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void installCompaction(VersionEdit edit) throws IOException {
        lock.lock();
        try {
            versions.apply(edit);
            publishVersion();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits this long before something that failed is tried again, or until the engine is being closed.
    void pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !closing) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            // Nobody interrupts these threads; trying too early does no harm.
        } finally {
            lock.unlock();
        }
    }

    /// Waits for any change, at most for this long.
    void awaitChange(long timeoutNanos) {
        lock.lock();
        try {
            if (!closing) {
                changed.await(timeoutNanos, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            // Nobody interrupts these threads; a wake-up too many does no harm.
        } finally {
            lock.unlock();
        }
    }

    long nextFileNumber() {
        lock.lock();
        try {
            return versions.nextFileNumber();
        } finally {
            lock.unlock();
        }
    }

    /// @throws IOException when no new run could be installed any more
    RunWriter runWriter(RunWriter.Pace pace) throws IOException {
        lock.lock();
        try {
            versions.refuseFailed();
        } finally {
            lock.unlock();
        }
        return new RunWriter(storage, options.random(), this::nextFileNumber, options.table(), pace);
    }

    void deleteObsolete() {
        versions.deleteObsolete();
    }

    /// Says what keeps memtables from being flushed, or null when nothing does any more.
    void reportFlush(@Nullable EngineException trouble) {
        flushTrouble = trouble;
        signal();
    }

    /// Says what keeps runs from being merged, or null when nothing does any more.
    void reportCompaction(@Nullable EngineException trouble) {
        compactionTrouble = trouble;
    }

    // States.

    /// From now on no write is acknowledged: nobody knows what the log holds.
    void failWrites(String what, IOException cause) {
        writeFailure = new EngineException.LogFailed(
                what + ": " + cause.getMessage() + "; writes have stopped, reads go on: mend the disk and restart");
        signal();
    }

    EngineException.@Nullable LogFailed writeFailure() {
        return writeFailure;
    }

    @Nullable
    EngineException flushTrouble() {
        return flushTrouble;
    }

    @Nullable
    EngineException compactionTrouble() {
        return compactionTrouble;
    }

    /// @throws InterruptedIOException when the engine is being closed, so that long work has to be given up
    void refuseClosing() throws InterruptedIOException {
        if (closing) {
            throw new InterruptedIOException("the engine is being closed");
        }
    }

    boolean isClosing() {
        return closing;
    }

    /// Tells the threads to end.
    void beginClose() {
        closing = true;
        signal();
    }

    /// Closes the files; the threads have ended.
    void close() throws IOException {
        closed = true; // first: readers whose table is gone look here
        lock.lock();
        try {
            versions.close();
        } finally {
            lock.unlock();
        }
    }

    /// Makes the background threads look for work now.
    void wakeBackground() {
        signal();
    }

    /// About how many bytes have to be merged before tables are in good shape again.
    long compactionDebtBytes() {
        return options.compaction().picker().debtBytes(current.version().shape());
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void publishVersion() {
        publish(current.active());
    }

    /// Puts a super version of the present state in place; under the lock.
    private void publish(Memtable active) {
        List<Memtable> newestFirst = new ArrayList<>();
        sealed.descendingIterator().forEachRemaining(each -> newestFirst.add(each.memtable()));
        SuperVersion previous = current;
        Version version = versions.current();
        version.acquire();
        current = new SuperVersion(active, newestFirst, version);
        previous.version().release();
    }
}
