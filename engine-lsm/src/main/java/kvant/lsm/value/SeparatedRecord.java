package kvant.lsm.value;

import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;

/// A record with a pointer in the place of its value.
///
/// @param record as it was; shows the key
/// @param stored the pointer, behind an expiry where there is one
record SeparatedRecord(RecordView record, long tag, byte[] stored) implements RecordView {

    static SeparatedRecord of(RecordView record, ValuePointer pointer) {
        long tag = Tag.separated(record.tag());
        byte[] stored = new byte[ValuePointer.storedBytes(tag)];
        int expiryBytes = stored.length - ValuePointer.BYTES;
        record.copyValue(0, stored, 0, expiryBytes);
        pointer.encode(stored, expiryBytes);
        return new SeparatedRecord(record, tag, stored);
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
    public void copyValue(int from, byte[] target, int offset, int length) {
        System.arraycopy(stored, from, target, offset, length);
    }
}
