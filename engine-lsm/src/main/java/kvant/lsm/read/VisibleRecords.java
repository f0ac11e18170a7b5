package kvant.lsm.read;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import kvant.lsm.record.WouldBlock;
import org.jspecify.annotations.Nullable;

/// Decides which records of a range a snapshot shows: of each key the newest version that the snapshot sees, if it is a
/// value. Is given the records one after the other, keys ascending and versions descending, and keeps the one that it
/// showed last. Belongs to one thread at a time.
final class VisibleRecords {

    private static final byte[] NONE = new byte[0];

    private final long newestTag;
    private final byte @Nullable [] to;
    private final Reading reading;

    private byte[] key = NONE;
    private Lookup.Found value = new Lookup.Found(NONE, 0);
    private long expiresAtMillis;

    /// @param sequence of the snapshot
    /// @param to end of the range, exclusive, or null
    VisibleRecords(long sequence, byte @Nullable [] to, Reading reading) {
        this.newestTag = Tag.upTo(sequence);
        this.to = to;
        this.reading = reading;
    }

    boolean isInRange(RecordCursor records) {
        return to == null || Keys.compare(records.keyArray(), records.keyOffset(), records.keyLength(), to) < 0;
    }

    /// @return whether the current record is shown, and has become [#key], [#value] and the rest
    /// @throws WouldBlock when its value is not in memory or not wanted, and the reading waits for none
    boolean show(RecordCursor records) {
        return records.tag() <= newestTag && !isDecided(records) && isValue(records);
    }

    byte[] key() {
        return key;
    }

    Lookup.Found value() {
        return value;
    }

    long expiresAtMillis() {
        return expiresAtMillis;
    }

    /// Whether a newer version of this key has been seen.
    private boolean isDecided(RecordCursor records) {
        return Arrays.equals(
                key, 0, key.length, records.keyArray(), records.keyOffset(), records.keyOffset() + records.keyLength());
    }

    /// Takes the current record as what its key is in this snapshot.
    private boolean isValue(RecordCursor records) {
        key = records.key();
        long tag = records.tag();
        if (Tag.kind(tag) == Tag.DELETE) {
            return false;
        }
        return Tag.isInline(tag) ? isInlineValue(records) : isSeparatedValue(records);
    }

    /// Copies the value once, however long it is.
    private boolean isInlineValue(RecordCursor records) {
        long version = Tag.sequence(records.tag());
        boolean expires = Tag.hasExpiry(records.tag());
        long until = expires ? records.expiresAtMillis() : Mutation.Put.NEVER;
        if (expires && reading.clock().isExpired(until, version)) {
            return false;
        }
        int expiryBytes = expires ? Tag.EXPIRY_BYTES : 0;
        byte[] bytes = new byte[records.valueLength() - expiryBytes];
        records.copyValue(expiryBytes, bytes, 0, bytes.length);
        value = new Lookup.Found(bytes, version);
        expiresAtMillis = until;
        return true;
    }

    private boolean isSeparatedValue(RecordCursor records) {
        byte[] stored = records.storedValue();
        MemorySegment segment = MemorySegment.ofArray(stored);
        return switch (StoredValue.lookup(records.tag(), segment, 0, stored.length, reading)) {
            case Lookup.Found present -> {
                value = present;
                expiresAtMillis =
                        Tag.hasExpiry(records.tag()) ? StoredValue.expiresAtMillis(segment, 0) : Mutation.Put.NEVER;
                yield true;
            }
            case Lookup.Miss.ABSENT -> false;
            case Lookup.Miss.WOULD_BLOCK -> throw WouldBlock.INSTANCE;
            case Lookup.Described _ -> throw WouldBlock.INSTANCE;
        };
    }
}
