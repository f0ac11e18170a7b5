package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;

/// A versioned record in place: the key is shown in an array that belongs to the source of the record. Belongs to one
/// thread.
public interface RecordView {

    byte[] keyArray();

    int keyOffset();

    int keyLength();

    long tag();

    int valueLength();

    /// Copies a part of the stored value, which begins with its expiry where it has one. A large value is taken in
    /// parts: it may be as long as half of the heap.
    ///
    /// @param from where the part begins in the stored value
    void copyValue(int from, byte[] target, int offset, int length);

    /// Hands a part of the stored value on, piece by piece.
    ///
    /// @param piece memory for one piece after the other
    default <E extends Exception> void forEachPiece(int from, int length, byte[] piece, Pieces<E> pieces) throws E {
        for (int done = 0; done < length; done += piece.length) {
            int part = Math.min(length - done, piece.length);
            copyValue(from + done, piece, 0, part);
            pieces.take(piece, 0, part);
        }
    }

    /// Takes the pieces of a value, in order.
    @FunctionalInterface
    interface Pieces<E extends Exception> {
        void take(byte[] bytes, int offset, int length) throws E;
    }

    /// The expiry time of the value, in milliseconds since the epoch; only where [Tag#hasExpiry].
    default long expiresAtMillis() {
        byte[] expiry = new byte[Tag.EXPIRY_BYTES];
        copyValue(0, expiry, 0, expiry.length);
        return MemorySegment.ofArray(expiry).get(ByteReader.LONG, 0);
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
        copyValue(0, value, 0, value.length);
        return value;
    }
}
