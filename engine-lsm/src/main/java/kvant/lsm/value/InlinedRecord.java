package kvant.lsm.value;

import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;

/// A record with its value in the place of a pointer. The value stays in its file until it is copied.
///
/// @param record as it is; shows the key, and the expiry where there is one
/// @param source has the value
record InlinedRecord(RecordView record, ValuePointer pointer, ValueFiles source) implements RecordView {

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
        return Tag.inline(record.tag());
    }

    @Override
    public int valueLength() {
        return expiryBytes() + pointer.length();
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        int ofExpiry = Math.clamp(expiryBytes() - from, 0, length);
        if (ofExpiry > 0) {
            record.copyValue(from, target, offset, ofExpiry);
        }
        if (length > ofExpiry) {
            source.copy(pointer, from + ofExpiry - expiryBytes(), target, offset + ofExpiry, length - ofExpiry);
        }
    }

    private int expiryBytes() {
        return record.valueLength() - ValuePointer.BYTES;
    }
}
