package kvant.lsm.record;

/// The records of a sorted stream that are written to new tables: of each key the newest version. An expired value
/// becomes a deletion, and a deletion is dropped where there is no older record.
///
/// Dropping older versions is safe without a list of snapshots: a snapshot pins the tables it reads, and the versions
/// that it needs of a flushed memtable are kept aside; see [SnapshotVersions].
public final class CompactionIterator extends ForwardingRecordCursor {

    private final TombstoneFilter older;
    private final long nowMillis;
    private boolean expired;

    /// @param older for older records outside of the source
    /// @param nowMillis records expired by then may be dropped
    public CompactionIterator(RecordCursor source, TombstoneFilter older, long nowMillis) {
        super(source);
        this.older = older;
        this.nowMillis = nowMillis;
    }

    @Override
    boolean shows() {
        if (isOlderVersion()) {
            return false;
        }
        expired = isExpired();
        return Tag.kind(tag()) != Tag.DELETE || older.mayHold(keyArray(), keyOffset(), keyLength());
    }

    private boolean isExpired() {
        return Tag.hasExpiry(source.tag()) && StoredValue.isExpired(source.expiresAtMillis(), nowMillis);
    }

    @Override
    public long tag() {
        long tag = source.tag();
        return expired ? Tag.of(Tag.sequence(tag), Tag.DELETE) : tag;
    }

    @Override
    public int valueLength() {
        return expired ? 0 : source.valueLength();
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        if (!expired) {
            source.copyValue(from, target, offset, length);
        }
    }
}
