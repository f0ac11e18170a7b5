package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;

/// Iterates over versioned records: keys ascending, and the versions of one key from the newest to the oldest.
///
/// The key is shown in place, in an array that the cursor owns and may overwrite at the next move. Belongs
/// to one thread.
public interface RecordCursor {

    /// Moves to the first record whose key is at least this one.
    ///
    /// @return whether there is one
    boolean seek(byte[] key);

    /// Moves to the next record; after the last one, or before a seek, there is none.
    boolean next();

    byte[] keyArray();

    int keyOffset();

    int keyLength();

    long tag();

    int valueLength();

    /// Copies the stored value, with its expiry where it has one.
    void copyValue(byte[] target, int offset);

    /// When the value expires, in milliseconds since the epoch; only where [Tag#hasExpiry].
    default long expiresAtMillis() {
        return MemorySegment.ofArray(storedValue()).get(ByteReader.LONG, 0);
    }

    /// A copy of the key.
    default byte[] key() {
        byte[] key = new byte[keyLength()];
        System.arraycopy(keyArray(), keyOffset(), key, 0, key.length);
        return key;
    }

    /// A copy of the stored value, with its expiry where it has one.
    default byte[] storedValue() {
        byte[] value = new byte[valueLength()];
        copyValue(value, 0);
        return value;
    }
}
