package kvant.lsm.record;

/// A memtable up to a moment: what came after a sequence number is skipped, so that a batch that is just being applied
/// is seen entirely or not at all. Belongs to one thread.
public final class BoundedCursor implements RecordCursor {

    private final RecordCursor source;
    private final long newestTag;

    /// @param sequence the last one that is seen
    public BoundedCursor(RecordCursor source, long sequence) {
        this.source = source;
        this.newestTag = Tag.upTo(sequence);
    }

    @Override
    public boolean seek(byte[] key) {
        return settle(source.seek(key));
    }

    @Override
    public boolean next() {
        return settle(source.next());
    }

    private boolean settle(boolean onRecord) {
        boolean on = onRecord;
        while (on && source.tag() > newestTag) {
            on = source.next();
        }
        return on;
    }

    @Override
    public byte[] keyArray() {
        return source.keyArray();
    }

    @Override
    public int keyOffset() {
        return source.keyOffset();
    }

    @Override
    public int keyLength() {
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
    public void copyValue(byte[] target, int offset) {
        source.copyValue(target, offset);
    }
}
