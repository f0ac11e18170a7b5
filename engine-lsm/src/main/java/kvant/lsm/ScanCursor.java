package kvant.lsm;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import kvant.lsm.table.Table;
import org.jspecify.annotations.Nullable;

/// A scan over one snapshot: of each key the newest version that the snapshot sees, if it is a value.
///
/// The super version is what makes the snapshot: its tables never change and are kept by a reference to its
/// version, its memtables only grow, and what came after the snapshot's sequence number is skipped. Belongs
/// to one thread at a time.
final class ScanCursor implements Cursor {

    private static final byte[] NONE = new byte[0];

    // Constant.
    private final Store store;
    private final SuperVersion view;
    private final byte @Nullable [] to;
    private final long newestTag;
    private final long deadlineNanos;
    private final Duration life;

    // One thread.
    private final MergingCursor records;
    private boolean onRecord;
    private byte[] decidedKey = NONE;
    private Lookup.Found value = new Lookup.Found(NONE, 0);
    private long expiresAtMillis;
    private boolean closed;

    /// @param view whose version the caller has acquired for this cursor
    ScanCursor(Store store, SuperVersion view, long visibleSequence, byte[] from, byte @Nullable [] to, Duration life) {
        this.store = store;
        this.view = view;
        this.to = to;
        this.newestTag = Tag.upTo(visibleSequence);
        this.life = life;
        this.deadlineNanos = System.nanoTime() + life.toNanos();
        this.records = new MergingCursor(view.cursors());
        store.operations().scans().add(this);
        boolean sought = false;
        try {
            onRecord = records.seek(from);
            sought = true;
        } catch (Table.Retired _) {
            throw new EngineException.Closed(); // closed since the caller looked
        } catch (InternalError e) {
            throw store.shortened();
        } finally {
            if (!sought) {
                close();
            }
        }
    }

    @Override
    public boolean next() {
        if (closed) {
            throw new IllegalStateException("the cursor is closed");
        }
        if (onRecord && System.nanoTime() - deadlineNanos > 0) {
            throw new EngineException.Busy("the scan took longer than " + life.toSeconds() + " s and was broken off");
        }
        try {
            while (onRecord && isInRange()) {
                boolean decides = records.tag() <= newestTag && !isDecided();
                if (decides && isValue()) {
                    onRecord = records.next();
                    return true;
                }
                onRecord = records.next();
            }
            onRecord = false;
            return false;
        } catch (Table.Retired _) {
            throw new EngineException.Closed(); // the version is held: only the end of the engine closes its tables
        } catch (InternalError e) {
            throw store.shortened(); // the JVM may throw it some instructions late, where no table is known
        }
    }

    @Override
    public byte[] key() {
        return decidedKey;
    }

    @Override
    public byte[] value() {
        return value.value();
    }

    @Override
    public long version() {
        return value.version();
    }

    @Override
    public long expiresAtMillis() {
        return expiresAtMillis;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            store.operations().scans().remove(this);
            store.release(view);
        }
    }

    /// How long its snapshot has been held.
    long ageNanos() {
        return System.nanoTime() - deadlineNanos + life.toNanos();
    }

    private boolean isInRange() {
        return to == null
                || Arrays.compareUnsigned(
                                records.keyArray(),
                                records.keyOffset(),
                                records.keyOffset() + records.keyLength(),
                                to,
                                0,
                                to.length)
                        < 0;
    }

    /// Whether a newer version of this key has been seen.
    private boolean isDecided() {
        return Arrays.equals(
                decidedKey,
                0,
                decidedKey.length,
                records.keyArray(),
                records.keyOffset(),
                records.keyOffset() + records.keyLength());
    }

    /// Takes the current record as what its key is in this snapshot.
    private boolean isValue() {
        decidedKey = records.key();
        if (Tag.kind(records.tag()) == Tag.DELETE) {
            return false;
        }
        byte[] stored = records.storedValue();
        if (Tag.kind(records.tag()) == Tag.PUT) {
            value = new Lookup.Found(stored, Tag.sequence(records.tag()));
            expiresAtMillis = Mutation.Put.NEVER;
            return true;
        }
        MemorySegment segment = MemorySegment.ofArray(stored);
        Lookup found = StoredValue.lookup(records.tag(), segment, 0, stored.length, store.clock());
        if (found instanceof Lookup.Found present) {
            value = present;
            expiresAtMillis = StoredValue.expiresAtMillis(segment, 0);
            return true;
        }
        return false;
    }
}
