package kvant.lsm.store;

import java.io.IOException;
import java.util.Set;
import kvant.engine.EngineException;
import kvant.lsm.value.ValueSeparation;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// Installs the new tables of flushes and compactions in the store. For the flush thread and the compaction threads.
public final class TableInstaller {

    private final Store store;

    TableInstaller(Store store) {
        this.store = store;
    }

    /// Writes a run that keeps large values out of its tables, and moves values out of files that are to be emptied.
    ///
    /// @param emptied numbers of these files
    /// @throws IOException when no new run could be installed any more
    public RunWriter separatingWriter(RunWriter.Pace pace, Set<Long> emptied) throws IOException {
        ValueSeparation.Plan plan = new ValueSeparation.Plan(
                store.options().values(), store.versions().values(), emptied);
        return runWriter(pace, plan);
    }

    /// Creates a writer of a run, which stores records unchanged.
    ///
    /// @throws IOException when no new run could be installed any more
    public RunWriter runWriter(RunWriter.Pace pace) throws IOException {
        return runWriter(pace, ValueSeparation.Plan.NONE);
    }

    private RunWriter runWriter(RunWriter.Pace pace, ValueSeparation.Plan plan) throws IOException {
        store.versions().refuseFailed();
        StoreOptions options = store.options();
        return new RunWriter(store.storage(), options.random(), store::nextFileNumber, options.table(), pace, plan);
    }

    /// Replaces the oldest sealed memtable by the run that it became.
    ///
    /// @return the version that has it first, which the caller releases
    public Version installFlush(SealedMemtable flushed, WrittenRun run) throws IOException {
        return store.apply(
                VersionEdit.flush(run, flushed.logs(), flushed.memtable().lastSequence()), true);
    }

    /// Checks whether this many bytes can be written without using the room reserved for writes and flushes. If the
    /// free space is unknown, the answer is yes. Scans give way before kept logs are deleted, as for writes: see
    /// the guard of the commit log.
    ///
    /// @return the refusal, or null
    public EngineException.@Nullable StorageFull refuseRoom(long bytes) {
        long headroomBytes = store.options().headroomBytes();
        try {
            long usable = store.storage().usableBytes();
            long missingBytes = headroomBytes + bytes - usable;
            if (missingBytes > 0 && store.releaseOfScans(missingBytes)) {
                store.versions().obsolete().delete();
                usable = store.storage().usableBytes();
            }
            boolean logsTakeRoom = store.storage().logs() == store.storage();
            if (usable - bytes < headroomBytes
                    && logsTakeRoom
                    && store.versions().obsolete().releaseLogs()) {
                usable = store.storage().usableBytes();
            }
            return usable - bytes >= headroomBytes
                    ? null
                    : new EngineException.StorageFull("the disk of "
                            + store.storage().describe("") + " has "
                            + usable + " bytes left, and merging needs " + bytes + " besides the " + headroomBytes
                            + " that are kept free: it continues when there is room");
        } catch (IOException _) {
            return null;
        }
    }

    /// The same for a merge that drops deleted data, which may use three quarters of the reserved room: otherwise
    /// deleting could not make room.
    ///
    /// @param bytes approximate size of its output
    public EngineException.@Nullable StorageFull refuseRoomForDeletions(long bytes) {
        EngineException.StorageFull refusal = refuseRoom(bytes);
        long headroomBytes = store.options().headroomBytes();
        try {
            long usable = store.storage().usableBytes();
            return Math.min(usable, headroomBytes) - bytes >= headroomBytes / 4 ? null : refusal;
        } catch (IOException _) {
            return null;
        }
    }

    /// Deletes files that nothing refers to any more, after scans that keep too many have given way.
    public void deleteObsolete() {
        boundScans();
        store.versions().obsolete().delete();
    }

    /// Aborts scans, the oldest first, where the files that only they keep take more than the disk's free space
    /// besides the headroom. So there is room before a write would be refused for lack of it.
    private void boundScans() {
        long mostBytes = store.versions().obsolete().heldBytes();
        if (mostBytes > 0) {
            try {
                long roomBytes = Math.max(
                        0, store.storage().usableBytes() - store.options().headroomBytes());
                if (mostBytes > roomBytes) { // else what scans pin need not be summed up
                    store.scans().boundFiles(roomBytes);
                }
            } catch (IOException _) {
                // Unknown free space is no reason.
            }
        }
    }
}
