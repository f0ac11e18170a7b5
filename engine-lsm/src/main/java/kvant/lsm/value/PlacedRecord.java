package kvant.lsm.value;

import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;

/// The current record of another cursor with its value in another place. Shows one record at a time. Belongs
/// to one thread.
final class PlacedRecord implements RecordCursor {

    private static final byte[] NONE = {};

    private RecordCursor record = this;
    private long tag;
    private byte[] stored = NONE;

    /// The record with a pointer in the place of its value.
    ///
    /// @param before what it stores, or at least the expiry that this begins with
    PlacedRecord separated(RecordCursor from, byte[] before, ValuePointer pointer) {
        record = from;
        tag = Tag.separated(from.tag());
        stored = new byte[ValuePointer.storedBytes(tag)];
        int expiryBytes = stored.length - ValuePointer.BYTES;
        System.arraycopy(before, 0, stored, 0, expiryBytes);
        pointer.encode(stored, expiryBytes);
        return this;
    }

    /// The record with its value in the place of a pointer.
    ///
    /// @param before what it stores
    PlacedRecord inlined(RecordCursor from, byte[] before, byte[] value) {
        record = from;
        tag = Tag.inline(from.tag());
        int expiryBytes = before.length - ValuePointer.BYTES;
        stored = new byte[expiryBytes + value.length];
        System.arraycopy(before, 0, stored, 0, expiryBytes);
        System.arraycopy(value, 0, stored, expiryBytes, value.length);
        return this;
    }

    @Override
    public boolean seek(byte[] key) {
        throw new UnsupportedOperationException("it shows one record");
    }

    @Override
    public boolean next() {
        throw new UnsupportedOperationException("it shows one record");
    }

    @Override
    public byte[] keyArray() {
        return record.keyArray();
    }

    @Override
    public int keyOffset() {
        return record.keyOffset();
    }

    @Override
    public int keyLength() {
        return record.keyLength();
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public int valueLength() {
        return stored.length;
    }

    @Override
    public void copyValue(byte[] target, int offset) {
        System.arraycopy(stored, 0, target, offset, stored.length);
    }
}
