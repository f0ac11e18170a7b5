package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;

/// A versioned record where it lies: the key is shown in place, in an array that whoever shows it owns. Belongs to one
/// thread.
public interface RecordView {

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
