package kvant.lsm.record;

/// A snapshot of a memtable: records after a sequence number are skipped, so that a batch that is just being applied
/// is seen entirely or not at all. Belongs to one thread.
public final class BoundedCursor extends ForwardingRecordCursor {

    private final long newestTag;

    /// @param sequence the last one that is seen
    public BoundedCursor(RecordCursor source, long sequence) {
        super(source);
        this.newestTag = Tag.upTo(sequence);
    }

    @Override
    boolean shows() {
        return source.tag() <= newestTag;
    }
}
