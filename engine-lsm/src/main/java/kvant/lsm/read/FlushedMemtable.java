package kvant.lsm.read;

import java.util.Arrays;
import java.util.List;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// Where the records of a memtable are after its flush, for scans that hold it.
///
/// @param snapshots sequence numbers, ascending, of those that the tables aside were written for
public record FlushedMemtable(Memtable memtable, long[] snapshots, Tables tables) {

    /// The run that a memtable became, and what the flush dropped of it although open snapshots see it. Counted through
    /// its versions. Does not know the memtable, so that who reads this instead does not hold it.
    ///
    /// @param version that has the run
    /// @param older tables aside; null when nothing was dropped
    public record Tables(
            long run, Version version, @Nullable Version older) {

        void addCursors(List<RecordCursor> cursors) {
            RecordCursor newest = version.cursor(run);
            if (newest != null) {
                cursors.add(newest);
            }
            if (older != null) {
                older.runs().forEach(each -> cursors.add(each.cursor()));
            }
        }

        /// What it counts through.
        List<Version> versions() {
            return older == null ? List.of(version) : List.of(version, older);
        }

        /// For a scan, while the caller holds it.
        void acquire() {
            if (!version.acquire() || older != null && !older.acquire()) {
                throw new IllegalStateException("the caller does not hold it");
            }
        }

        public void release() {
            versions().forEach(Version::release);
        }
    }

    /// Whether the tables show a snapshot all that the memtable shows it: what sees the whole memtable needs only the
    /// newest versions.
    boolean serves(long sequence) {
        return sequence >= memtable.lastSequence() || Arrays.binarySearch(snapshots, sequence) >= 0;
    }
}
