package kvant.lsm.value;

import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;

/// A record with its value in another place.
///
/// @param record as it was; shows the key
/// @param stored what now stands in the place of its value
record PlacedRecord(RecordView record, long tag, byte[] stored) implements RecordView {

    /// The record with a pointer in the place of its value.
    ///
    /// @param before what it stores, or at least the expiry that this begins with
    static PlacedRecord separated(RecordView record, byte[] before, ValuePointer pointer) {
        long tag = Tag.separated(record.tag());
        byte[] stored = new byte[ValuePointer.storedBytes(tag)];
        int expiryBytes = stored.length - ValuePointer.BYTES;
        System.arraycopy(before, 0, stored, 0, expiryBytes);
        pointer.encode(stored, expiryBytes);
        return new PlacedRecord(record, tag, stored);
    }

    /// The record with its value in the place of a pointer.
    ///
    /// @param before what it stores
    static PlacedRecord inlined(RecordView record, byte[] before, byte[] value) {
        int expiryBytes = before.length - ValuePointer.BYTES;
        byte[] stored = new byte[expiryBytes + value.length];
        System.arraycopy(before, 0, stored, 0, expiryBytes);
        System.arraycopy(value, 0, stored, expiryBytes, value.length);
        return new PlacedRecord(record, Tag.inline(record.tag()), stored);
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
    public int valueLength() {
        return stored.length;
    }

    @Override
    public void copyValue(byte[] target, int offset) {
        System.arraycopy(stored, 0, target, offset, stored.length);
    }
}
