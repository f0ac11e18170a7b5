package kvant.lsm.record;

import java.util.Arrays;

/// A copy of the key that a cursor stood on, to tell versions of one key from the next key. Belongs to one thread.
final class LastKey {

    private byte[] key = new byte[64];
    private int length = -1;

    boolean isThatOf(RecordCursor cursor) {
        return length >= 0
                && Arrays.equals(
                        key, 0, length, cursor.keyArray(), cursor.keyOffset(), cursor.keyOffset() + cursor.keyLength());
    }

    void remember(RecordCursor cursor) {
        length = cursor.keyLength();
        if (key.length < length) {
            key = new byte[Math.max(length, key.length * 2)];
        }
        System.arraycopy(cursor.keyArray(), cursor.keyOffset(), key, 0, length);
    }

    void forget() {
        length = -1;
    }
}
