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
/// Its sources are the memtables and the tables of the super version that was current at its start, and what came after
/// the snapshot's sequence number is skipped. The tables are kept by a reference to their version. A memtable is let go
/// of when it has been flushed: from then on the scan reads the run that it became ([FlushedMemtable]), so that a
/// client that takes its time holds files and no memory. A scan that is broken off gives all of it back at once, and
/// not when its client comes for the next record.
///
/// Belongs to one thread at a time, but for [#moveOn] and [#breakOff]: whoever has the lock carries out what these ask
/// for, and they do not wait for it.
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

    /// Moves to the first record, so that what is wrong is told before anything is read. The scan is closed then.
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

    /// Carries out a step of the scan's own thread, and then what others have asked for meanwhile.
    private boolean locked(BooleanSupplier step) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the cursor is closed");
            }
            return step.getAsBoolean();
        } catch (Retired _) {
            throw new EngineException.Closed(); // the version is held: only the end of the engine closes its tables
        } catch (InternalError e) {
            throw scans.versions().unreadable(); // the JVM may throw it some instructions late, where no table is known
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

    /// What it holds in memory, as of now.
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

    /// Has the scan read tables instead of a memtable, at once or after the step that it is taking.
    ///
    /// @param newer held by the caller for as long as this takes
    void moveOn(FlushedMemtable newer) {
        if (memtables.contains(newer.memtable()) && newer.serves(sequence)) {
            newer.tables().acquire();
            requests.add(newer);
            carryOutRequests();
        }
    }

    /// Ends the scan with an error, and has it give back what it holds, at once or after the step that it is taking.
    ///
    /// @param why what it did, as a part of a sentence
    /// @return false when it was broken off before
    boolean breakOff(String why) {
        boolean first = brokenOff.compareAndSet(null, why);
        carryOutRequests();
        return first;
    }

    /// Never waits: whoever has the lock comes here when it has given it back.
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

    /// How long its snapshot has been held.
    long ageNanos() {
        return System.nanoTime() - deadlineNanos + scans.maxLife().toNanos();
    }
}
