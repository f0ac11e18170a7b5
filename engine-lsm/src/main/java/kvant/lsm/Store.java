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
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.MetricSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Tag;
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
    private final BacklogWatch backlog;
    private final Operations operations = new Operations();

    // Guarded by the lock.
    private final Deque<Sealed> sealed = new ArrayDeque<>(); // oldest first

    // Written under the lock or by the commit thread, read by anyone.
    private volatile SuperVersion current;
    private volatile long visibleSequence;
    private volatile long compactionDebtBytes;
    private volatile EngineException.@Nullable LogFailed writeFailure;
    private volatile @Nullable EngineException flushTrouble;
    private volatile @Nullable EngineException compactionTrouble;
    private volatile boolean closing;
    private volatile boolean closed;

    Store(Storage storage, LsmOptions options, VersionSet versions, Memtable active, long lastSequence) {
        this.storage = storage;
        this.options = options;
        this.versions = versions;
        this.visibleSequence = lastSequence;
        versions.current().acquire();
        this.current = new SuperVersion(active, List.of(), versions.current());
        this.backlog = new BacklogWatch(
                Backlog.of(sealed, versions.current(), versions.state().logs().size()));
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
                return view.find(key, Tag.NEWEST, options.clock(), mayBlock);
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

    /// Never waits, although the lock may be held for as long as the manifest is being synced: where the
    /// compaction thread is not told now that files may have become obsolete, it looks by itself soon.
    void release(SuperVersion view) {
        view.version().release();
        if (lock.tryLock()) {
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
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
            Memtable next = Memtable.create(options.memtable(), options.memtableBytes()); // first: it may fail
            operations.requestSeal(false);
            sealed.addLast(new Sealed(current.active(), List.copyOf(logs)));
            publish(next);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// What waits for the flush thread and the compaction thread.
    BacklogWatch backlog() {
        return backlog;
    }

    /// About how many bytes have to be merged before the tables have the shape that the picker wants; writes slow
    /// down as this grows, see [WriteThrottle].
    long compactionDebtBytes() {
        return compactionDebtBytes;
    }

    // For operators.

    Operations operations() {
        return operations;
    }

    /// Files that nothing refers to any more and that are still there.
    int obsoleteFiles() {
        return versions.obsoleteFiles();
    }

    /// The numbers of the live logs, oldest first.
    List<Long> logs() {
        lock.lock();
        try {
            return List.copyOf(versions.state().logs());
        } finally {
            lock.unlock();
        }
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
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closing; left = endNanos - System.nanoTime()) {
            awaitChange(left);
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

    /// What the tables share has figures of its own: filters, and the cache of decompressed blocks.
    void measure(MetricSink sink) {
        versions.context().measure(sink);
    }

    /// Wakes whoever waits for a change.
    void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        backlog.wake();
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
        compactionDebtBytes = options.compaction().picker().debtBytes(version.shape());
        backlog.publish(Backlog.of(sealed, version, versions.state().logs().size()));
        previous.version().release();
    }
}
