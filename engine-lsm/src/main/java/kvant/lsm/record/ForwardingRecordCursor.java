package kvant.lsm.record;

/// A cursor that delegates to another one; subclasses override its methods. Belongs to one thread.
abstract class ForwardingRecordCursor implements RecordCursor {

    final RecordCursor source;

    ForwardingRecordCursor(RecordCursor source) {
        this.source = source;
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
