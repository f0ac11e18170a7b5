package kvant.lsm.record;

import java.util.Arrays;

/// A cursor that shows some records of another one, as they are unless a subclass overrides that. Belongs to one
/// thread.
abstract class ForwardingRecordCursor implements RecordCursor {

    final RecordCursor source;

    // A copy of the key before, to tell versions of one key from the next key.
    private byte[] lastKey = new byte[64];
    private int lastLength = -1;

    ForwardingRecordCursor(RecordCursor source) {
        this.source = source;
    }

    @Override
    public boolean seek(byte[] key) {
        lastLength = -1;
        return source.seek(key) && settle();
    }

    @Override
    public boolean next() {
        return source.next() && settle();
    }

    /// Moves on until the source is at a record that is shown.
    private boolean settle() {
        do {
            if (shows()) {
                return true;
            }
        } while (source.next());
        return false;
    }

    /// Whether the record of the source is shown; called once for each.
    abstract boolean shows();

    /// Whether the record of the source is a further version of the key before. Remembers the key if not.
    final boolean isOlderVersion() {
        byte[] key = source.keyArray();
        int offset = source.keyOffset();
        int length = source.keyLength();
        if (lastLength >= 0 && Arrays.equals(lastKey, 0, lastLength, key, offset, offset + length)) {
            return true;
        }
        if (lastKey.length < length) {
            lastKey = new byte[Math.max(length, lastKey.length * 2)];
        }
        System.arraycopy(key, offset, lastKey, 0, length);
        lastLength = length;
        return false;
    }

    @Override
    public final byte[] keyArray() {
        return source.keyArray();
    }

    @Override
    public final int keyOffset() {
        return source.keyOffset();
    }

    @Override
    public final int keyLength() {
        return source.keyLength();
    }

    @Override
    public long tag() {
        return source.tag();
    }

    @Override
    public int valueLength() {
        return source.valueLength();
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        source.copyValue(from, target, offset, length);
    }

    /// Reads it from the source's record, without a copy of the whole value.
    @Override
    public final long expiresAtMillis() {
        return source.expiresAtMillis();
    }
}
