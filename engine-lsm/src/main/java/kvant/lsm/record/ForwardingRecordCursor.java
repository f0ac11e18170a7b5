package kvant.lsm.record;

/// Delegates to another cursor; subclasses override what they change. Belongs to one thread.
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

    /// Where the source has it, and not in a copy of the whole value.
    @Override
    public final long expiresAtMillis() {
        return source.expiresAtMillis();
    }
}
