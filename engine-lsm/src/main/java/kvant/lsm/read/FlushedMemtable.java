package kvant.lsm.read;

import java.util.Arrays;
import java.util.List;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// The tables that replace a flushed memtable, for scans that hold it.
///
/// @param snapshots sequence numbers, ascending, for which the tables kept aside were written
public record FlushedMemtable(Memtable memtable, long[] snapshots, Tables tables) {

    /// The run written from a memtable, and the records dropped by the flush that open snapshots still see. Counted
    /// through its versions. It has no reference to the memtable, so that a scan of the tables does not hold the
    /// memtable.
    ///
    /// @param version that has the run
    /// @param older tables kept aside; null when nothing was dropped
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

        /// The versions through which it counts.
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

    /// Whether the tables show a snapshot the same records as the memtable. A snapshot that sees the whole memtable
    /// needs only the newest versions.
    boolean serves(long sequence) {
        return sequence >= memtable.lastSequence() || Arrays.binarySearch(snapshots, sequence) >= 0;
    }
}
