package kvant.lsm.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Retired;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// A scan over one snapshot: of each key the newest version that the snapshot sees, if it is a value.
///
/// Its sources are the memtables and the tables of the super version that was current at its start; records after the
/// snapshot's sequence number are skipped. A reference to the version keeps the tables. A memtable is released when
/// it has been flushed: from then on the scan reads the run that replaces it ([FlushedMemtable]), so that a slow
/// client holds files and no memory. An aborted scan releases all of it at once, and not at its client's next call.
///
/// Belongs to one thread at a time, except for [#moveOn] and [#breakOff]: the thread that has the lock carries out
/// their requests, and they do not wait for it.
final class ScanCursor implements Cursor {

    // Constant.
    private final Scans scans;
    private final Version tables;
    private final long sequence;
    private final long deadlineNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final BooleanSupplier advance = this::advance;

    // Concurrent.
    private final Queue<FlushedMemtable> requests = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable String> brokenOff = new AtomicReference<>(); // why

    // Written under the lock, read by anyone.
    private volatile List<Memtable> memtables;
    private volatile List<Version> held; // none once it has given them back

    // Guarded by the lock.
    private final List<FlushedMemtable.Tables> flushed = new ArrayList<>();
    private @Nullable MergingCursor records; // null until it is sought again
    private byte[] resumeKey;
    private boolean onRecord = true;
    private boolean closed;

    // One thread.
    private final VisibleRecords visible;

    /// @param view which the caller has acquired for this cursor
    ScanCursor(Scans scans, SuperVersion view, long visibleSequence, byte[] from, byte @Nullable [] to) {
        this.scans = scans;
        this.tables = view.version();
        this.memtables = view.memtables();
        this.held = List.of(view.version());
        this.sequence = visibleSequence;
        this.visible = new VisibleRecords(visibleSequence, to, scans.versions().everyValue());
        this.deadlineNanos = System.nanoTime() + scans.maxLife().toNanos();
        this.resumeKey = from;
    }

    /// Moves to the first record, so that errors are reported before the first read. The scan is closed then.
    void begin() {
        boolean sought = false;
        try {
            locked(() -> {
                refuseBrokenOff(); // by a flush that came first: without its memtable the scan would seem to be empty
                return records() != null;
            });
            sought = true;
        } finally {
            if (!sought) {
                close();
            }
        }
    }

    @Override
    public boolean next() {
        return locked(advance);
    }

    /// Carries out a step of the scan's own thread, and then requests that came from other threads meanwhile.
    private boolean locked(BooleanSupplier step) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the cursor is closed");
            }
            return step.getAsBoolean();
        } catch (Retired | InternalError e) {
            throw scans.versions().broken(e);
        } finally {
            lock.unlock();
            carryOutRequests();
        }
    }

    private boolean advance() {
        if (!onRecord) {
            return false;
        }
        refuseBrokenOff();
        refuseTooOld();
        MergingCursor source = records();
        while (onRecord && visible.isInRange(source)) {
            boolean found = visible.show(source);
            onRecord = source.next();
            if (found) {
                return true;
            }
        }
        onRecord = false;
        return false;
    }

    private void refuseBrokenOff() {
        String why = brokenOff.get();
        if (why != null) {
            throw new EngineException.Busy("the scan " + why + " and was broken off: continue after its last key");
        }
    }

    private void refuseTooOld() {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new EngineException.Busy("the scan took longer than "
                    + scans.maxLife().toSeconds() + " s and was broken off: continue after its last key");
        }
    }

    /// The sources as one, on the record that is next.
    private MergingCursor records() {
        MergingCursor current = records;
        if (current == null) {
            List<RecordCursor> cursors = new ArrayList<>();
            memtables.forEach(memtable -> cursors.add(memtable.cursor()));
            flushed.forEach(each -> each.addCursors(cursors));
            tables.runs().forEach(run -> cursors.add(run.cursor()));
            current = new MergingCursor(cursors);
            onRecord = onRecord && current.seek(resumeKey);
            records = current;
        }
        return current;
    }

    // For other threads.

    /// Its snapshot.
    long sequence() {
        return sequence;
    }

    /// The memtables that it holds at present.
    List<Memtable> memtables() {
        return memtables;
    }

    /// Through which it holds files, as of now.
    List<Version> held() {
        return held;
    }

    /// Negative, zero or positive as with a comparator.
    int compareAge(ScanCursor other) {
        return Long.signum(deadlineNanos - other.deadlineNanos);
    }

    boolean isBrokenOff() {
        return brokenOff.get() != null;
    }

    /// Makes the scan read tables instead of a memtable, at once or after its present step.
    ///
    /// @param newer held by the caller for as long as this takes
    void moveOn(FlushedMemtable newer) {
        if (memtables.contains(newer.memtable()) && newer.serves(sequence)) {
            newer.tables().acquire();
            requests.add(newer);
            carryOutRequests();
        }
    }

    /// Aborts the scan with an error and releases its resources, at once or after its present step.
    ///
    /// @param why the reason, as a part of a sentence
    /// @return false when it was aborted before
    boolean breakOff(String why) {
        boolean first = brokenOff.compareAndSet(null, why);
        carryOutRequests();
        return first;
    }

    /// Never waits: the thread that has the lock calls this after releasing it.
    private void carryOutRequests() {
        while ((!requests.isEmpty() || isBrokenOff() && !held.isEmpty()) && lock.tryLock()) {
            try {
                for (FlushedMemtable next = requests.poll(); next != null; next = requests.poll()) {
                    carryOut(next);
                }
                if (isBrokenOff()) {
                    giveBack();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void carryOut(FlushedMemtable newer) {
        List<Memtable> left = new ArrayList<>(memtables);
        if (closed || !left.remove(newer.memtable())) {
            newer.tables().release();
            return;
        }
        flushed.add(newer.tables());
        List<Version> more = new ArrayList<>(held);
        more.addAll(newer.tables().versions());
        held = List.copyOf(more);
        letGo(left);
        newer.memtable().release();
    }

    /// The next step seeks again, in the sources that are left.
    private void letGo(List<Memtable> left) {
        MergingCursor current = records;
        if (current != null && onRecord) {
            resumeKey = current.key();
        }
        records = null;
        memtables = List.copyOf(left);
    }

    /// Holds nothing any more: no step reads from here on.
    private void giveBack() {
        if (held.isEmpty()) {
            return;
        }
        held = List.of();
        List<Memtable> released = memtables;
        memtables = List.of();
        records = null;
        released.forEach(Memtable::release);
        flushed.forEach(FlushedMemtable.Tables::release);
        flushed.clear();
        scans.versions().release(tables);
    }

    @Override
    public byte[] key() {
        return visible.key();
    }

    @Override
    public byte[] value() {
        return visible.value().value();
    }

    @Override
    public long version() {
        return visible.value().version();
    }

    @Override
    public long expiresAtMillis() {
        return visible.expiresAtMillis();
    }

    @Override
    public void close() {
        boolean first;
        lock.lock();
        try {
            first = !closed;
            closed = true;
            giveBack();
        } finally {
            lock.unlock();
        }
        carryOutRequests();
        if (first) {
            scans.closed(this);
        }
    }

    /// The age of its snapshot.
    long ageNanos() {
        return System.nanoTime() - deadlineNanos + scans.maxLife().toNanos();
    }
}
