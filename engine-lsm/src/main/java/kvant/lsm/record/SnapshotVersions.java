package kvant.lsm.record;

import java.util.Arrays;

/// The records of a sorted stream that a flush drops although an open snapshot sees them: of each key, and for each
/// snapshot, the newest version that it sees, unless that is the newest of all.
public final class SnapshotVersions extends ForwardingRecordCursor {

    private final long[] snapshots;
    private final LastKey lastKey = new LastKey();
    private long newer;

    /// @param snapshots sequence numbers, ascending
    public SnapshotVersions(RecordCursor source, long[] snapshots) {
        super(source);
        this.snapshots = snapshots;
    }

    @Override
    public boolean seek(byte[] key) {
        lastKey.forget();
        return source.seek(key) && settle();
    }

    @Override
    public boolean next() {
        return source.next() && settle();
    }

    /// Moves on until the source stands on a version that is needed.
    private boolean settle() {
        do {
            boolean older = lastKey.isThatOf(source);
            if (!older) {
                lastKey.remember(source);
            }
            long sequence = Tag.sequence(source.tag());
            boolean needed = older && isSnapshotIn(sequence, newer);
            newer = sequence;
            if (needed) {
                return true;
            }
        } while (source.next());
        return false;
    }

    private boolean isSnapshotIn(long from, long to) {
        int at = Arrays.binarySearch(snapshots, from);
        int first = at < 0 ? -at - 1 : at;
        return first < snapshots.length && snapshots[first] < to;
    }
}
