package kvant.lsm.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import kvant.engine.MetricSink;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.Scans;
import kvant.lsm.read.SuperVersion;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.storage.Storage;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Run;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import org.jspecify.annotations.Nullable;

/// The shared state of the engine's threads: the memtables, the version of the tables, and the signal for changes of
/// either. Each change ends with a new super version for readers and a new backlog for the commit thread.
///
/// The state in memory changes under one lock, which is held only for moments, never during disk I/O: an edit is
/// prepared and written before, in an order of its own. Readers and the commit thread do not wait for that lock: they
/// look at super versions and at the [Backlog].
public final class Store {

    /// The parts of a store besides its options.
    ///
    /// @param memtables makes an empty one
    /// @param debtBytes approximate bytes to merge before tables have the shape that the picker wants
    /// @param clock for expiry
    public record Parts(Supplier<Memtable> memtables, ToLongFunction<Shape> debtBytes, ExpiryClock clock) {}

    // Constant.
    private final Storage storage;
    private final StoreOptions options;
    private final Parts parts;
    private final VersionSet versions;
    private final SuperVersions readers;
    private final Scans scans;
    private final DurablePoint durable;
    private final TableInstaller tables = new TableInstaller(this);
    private final MemtableRoom room;
    private final Backlog backlog = new Backlog();
    private final StoreHealth health = new StoreHealth(this::signal);
    private final StoreFigures figures = new StoreFigures();
    private final FullCompaction fullCompaction = new FullCompaction();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Held while an edit is written and installed, so that both happen in one order. Never asked for under the lock.
    private final ReentrantLock edits = new ReentrantLock();

    // Guarded by the lock.
    private final List<SealedMemtable> sealed = new ArrayList<>(); // oldest first

    // Written once, read by any thread.
    private volatile boolean closing;

    // Written by operators and by the commit thread.
    private volatile boolean sealRequested;

    /// @param active records that recovery read from the logs
    /// @param lastSequence the highest sequence number assigned before
    public Store(
            Storage storage,
            StoreOptions options,
            Parts parts,
            VersionSet versions,
            Memtable active,
            long lastSequence) {
        this.storage = storage;
        this.options = options;
        this.parts = parts;
        this.versions = versions;
        this.room = MemtableRoom.of(options);
        this.readers = new SuperVersions(
                new SuperVersion(active, List.of(), versions.current()),
                lastSequence,
                parts.clock(),
                versions.values(),
                storage.describe(""),
                this::signalIfFree);
        this.scans =
                new Scans(readers, options.maxScanLife(), options.maxPinnedMemtableBytes(), options.maxOpenScans());
        this.durable = new DurablePoint(lastSequence);
        publishBacklog(versions.current());
    }

    public Storage storage() {
        return storage;
    }

    public StoreOptions options() {
        return options;
    }

    /// The clock by which values expire.
    public ExpiryClock clock() {
        return parts.clock();
    }

    public SuperVersions readers() {
        return readers;
    }

    public Scans scans() {
        return scans;
    }

    /// The point up to which writes are durable and visible.
    public DurablePoint durable() {
        return durable;
    }

    /// The backlog as of the newest super version.
    public Backlog backlog() {
        return backlog;
    }

    public MemtableRoom room() {
        return room;
    }

    public StoreHealth health() {
        return health;
    }

    public StoreFigures figures() {
        return figures;
    }

    public TableInstaller tables() {
        return tables;
    }

    public FullCompaction fullCompaction() {
        return fullCompaction;
    }

    /// The tables, value files and logs of the store.
    public VersionSet versions() {
        return versions;
    }

    // Memtables and their logs, for the commit thread.

    public Memtable active() {
        return readers.current().active();
    }

    /// Makes records just added to the active memtable part of new snapshots.
    public void publish(long sequence) {
        readers.publish(sequence);
    }

    public long nextFileNumber() {
        return versions.nextFileNumber();
    }

    /// Begins a log: its name is durable and the manifest knows it before it gets a record.
    ///
    /// @param edit that adds it
    public void addLog(VersionEdit edit) throws IOException {
        storage.logs().syncDirectory();
        apply(edit);
    }

    /// Puts a new memtable in the place of the active one.
    ///
    /// @param logs that hold the records of the sealed one
    /// @param isAwaited as of [SealedMemtable]
    public void seal(List<Long> logs, boolean isAwaited) {
        Memtable next = parts.memtables().get(); // first: it may fail, and its zeros take a while
        lock.lock();
        try {
            sealRequested = false;
            SealedMemtable last = new SealedMemtable(active(), List.copyOf(logs), isAwaited);
            try {
                sealed.add(last);
                show(next);
            } finally {
                if (active() != next) { // an error, of memory: it is still the active one
                    sealed.remove(last);
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Requests that the active memtable is sealed at the next group, full or not, unless it is empty.
    public void requestSeal(boolean requested) {
        sealRequested = requested;
    }

    public boolean isSealRequested() {
        return sealRequested;
    }

    /// The oldest sealed memtable, for the flush thread; waits for one.
    ///
    /// @return null when the engine is being closed
    public @Nullable SealedMemtable awaitSealed() {
        lock.lock();
        try {
            while (sealed.isEmpty() && !closing) {
                changed.awaitUninterruptibly();
            }
            return closing ? null : sealed.getFirst();
        } finally {
            lock.unlock();
        }
    }

    // Room.

    /// Deletes the logs that are kept for clients that follow changes alone, because the room is needed.
    ///
    /// @return whether there were any
    public boolean releaseLogs() {
        return versions.obsolete().releaseLogs();
    }

    /// Makes scans release the files that only they keep, because the room is needed: these are deleted soon.
    ///
    /// @return whether there were any
    public boolean breakOffScans() {
        return scans.boundFiles(0);
    }

    /// Aborts the oldest scans until they keep this much less, if they keep as much.
    ///
    /// @return whether they did
    public boolean releaseOfScans(long bytes) {
        boolean mayBe = versions.obsolete().heldBytes() >= bytes; // scans need not be asked where it cannot be
        long keptBytes = mayBe ? scans.pinnedFileBytes() : 0;
        return keptBytes >= bytes && scans.boundFiles(keptBytes - bytes);
    }

    // Edits.

    /// Makes an edit durable and shows what results. Not to be called under the lock.
    public void apply(VersionEdit edit) throws IOException {
        apply(edit, false).release();
    }

    /// As above.
    ///
    /// @param isFlush whether the oldest sealed memtable became tables by it
    /// @return the version that results, which the caller releases
    Version apply(VersionEdit edit, boolean isFlush) throws IOException {
        VersionSet.Prepared prepared = versions.prepare(edit);
        edits.lock();
        try {
            versions.write(prepared);
            boolean installed = false;
            try {
                Version version = install(prepared, isFlush);
                installed = true;
                return version;
            } finally {
                if (!installed) { // an error, of memory
                    versions.fail();
                }
            }
        } finally {
            edits.unlock();
        }
    }

    private Version install(VersionSet.Prepared prepared, boolean isFlush) {
        lock.lock();
        try {
            Version installed = versions.install(prepared);
            if (isFlush) {
                sealed.removeFirst();
            }
            show(active());
            changed.signalAll();
            installed.acquire();
            return installed;
        } finally {
            lock.unlock();
        }
    }

    private void show(Memtable active) {
        List<Memtable> newestFirst = new ArrayList<>();
        sealed.reversed().forEach(each -> newestFirst.add(each.memtable()));
        Version version = versions.current();
        readers.install(active, newestFirst, version);
        publishBacklog(version);
    }

    private void publishBacklog(Version version) {
        long debtBytes = parts.debtBytes().applyAsLong(version.shape());
        int logs = versions.state().logs().size();
        backlog.publish(Backlog.Amount.of(sealed, version, debtBytes, logs));
    }

    // The signal.

    /// Wakes the threads that wait for a change, the commit thread too.
    public void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        backlog.wake();
    }

    /// Wakes the waiting threads, unless the store is being changed at this moment: threads that miss the signal
    /// check by themselves soon. Never waits.
    private void signalIfFree() {
        if (lock.tryLock()) {
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Waits for any change, at most for this long.
    public void await(long timeoutNanos) {
        lock.lock();
        try {
            if (!closing) {
                changed.await(timeoutNanos, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            // These threads are never interrupted; a wake-up too many does no harm.
        } finally {
            lock.unlock();
        }
    }

    /// Waits this long before something that failed is tried again, or until the engine is being closed.
    public void pause(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closing; left = endNanos - System.nanoTime()) {
            await(left);
        }
    }

    public boolean isClosing() {
        return closing;
    }

    /// @throws InterruptedIOException when the engine is being closed, so that long work has to be given up
    public void refuseClosing() throws InterruptedIOException {
        if (closing) {
            throw new InterruptedIOException("the engine is being closed");
        }
    }

    // Contents of the store, for operators.

    /// The numbers of the live logs, oldest first.
    public List<Long> logs() {
        return List.copyOf(versions.state().logs());
    }

    /// Bytes of logs that are kept for clients that follow changes alone.
    public long retainedLogBytes() {
        return versions.obsolete().retainedLogBytes();
    }

    /// Figures of files, and of the tables' shared state: filters, and the cache of decompressed blocks.
    public void measure(MetricSink sink) {
        versions.context().measure(sink);
        sink.gauge(
                "kvant_lsm_retained_log_bytes",
                "Bytes of logs kept for followers of changes alone.",
                retainedLogBytes());
        sink.gauge(
                "kvant_lsm_obsolete_files",
                "Files that are no longer part of the store and await deletion.",
                versions.obsolete().count());
    }

    /// The size of the store in bytes: tables, value files including their garbage, and memtables, which become
    /// tables. Temporary files are not counted: files that a merge is writing, and those that readers or a
    /// checkpoint still hold. Looks at no file, so that a concurrent change of versions does no harm.
    public static long bytesOf(SuperVersion view) {
        long bytes = view.active().isEmpty() ? 0 : view.active().bytes(); // it has memory before it has data
        for (Memtable memtable : view.sealed()) {
            bytes += memtable.bytes();
        }
        for (Run run : view.version().runs()) {
            bytes += run.bytes();
        }
        for (ValueFileInfo file : view.version().valueFileInfos()) {
            bytes += file.bytes();
        }
        return bytes;
    }

    /// Tells the threads to end.
    public void beginClose() {
        closing = true;
        signal();
        durable.close();
    }

    /// Closes the files; the threads have ended.
    public void close() throws IOException {
        readers.close(); // first: readers whose table is gone look here
        lock.lock();
        try {
            versions.close();
        } finally {
            lock.unlock();
        }
    }
}
