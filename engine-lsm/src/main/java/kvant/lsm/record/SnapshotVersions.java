package kvant.lsm.record;

import java.util.Arrays;

/// The records of a sorted stream that a flush drops although an open snapshot sees them: of each key, and for each
/// snapshot, the newest version that it sees, unless that is the newest of all.
public final class SnapshotVersions extends ForwardingRecordCursor {

    private final long[] snapshots;
    private long newer;

    /// @param snapshots sequence numbers, ascending
    public SnapshotVersions(RecordCursor source, long[] snapshots) {
        super(source);
        this.snapshots = snapshots;
    }

    @Override
    boolean shows() {
        boolean older = isOlderVersion();
        long sequence = Tag.sequence(source.tag());
        boolean needed = older && isSnapshotIn(sequence, newer);
        newer = sequence;
        return needed;
    }

    private boolean isSnapshotIn(long from, long to) {
        int at = Arrays.binarySearch(snapshots, from);
        int first = at < 0 ? -at - 1 : at;
        return first < snapshots.length && snapshots[first] < to;
    }
}
