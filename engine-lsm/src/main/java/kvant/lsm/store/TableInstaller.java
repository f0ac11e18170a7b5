package kvant.lsm.store;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.value.ValueSeparation;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// Makes new tables part of the store: those of a flush and those of a compaction. For the flush thread and the
/// compaction threads.
public final class TableInstaller {

    private final Store store;

    TableInstaller(Store store) {
        this.store = store;
    }

    public long nextFileNumber() {
        return store.versions().nextFileNumber();
    }

    /// Writes a run that keeps large values out of its tables.
    ///
    /// @throws IOException when no new run could be installed any more
    public RunWriter separatingWriter(RunWriter.Pace pace) throws IOException {
        return separatingWriter(pace, Set.of());
    }

    /// The same, and moves values out of files that are to be emptied.
    ///
    /// @param emptied numbers of these files
    public RunWriter separatingWriter(RunWriter.Pace pace, Set<Long> emptied) throws IOException {
        ValueSeparation.Plan plan = new ValueSeparation.Plan(
                store.options().values(), store.versions().values(), emptied);
        return runWriter(pace, plan);
    }

    /// Writes a run whose records store what they get.
    ///
    /// @throws IOException when no new run could be installed any more
    public RunWriter runWriter(RunWriter.Pace pace) throws IOException {
        return runWriter(pace, ValueSeparation.Plan.NONE);
    }

    private RunWriter runWriter(RunWriter.Pace pace, ValueSeparation.Plan plan) throws IOException {
        store.versions().refuseFailed();
        StoreOptions options = store.options();
        return new RunWriter(store.storage(), options.random(), this::nextFileNumber, options.table(), pace, plan);
    }

    /// Opens tables for scans alone: they are not part of the store, and go with the version that this gives.
    public Version openAside(List<TableInfo> tables) throws IOException {
        return store.versions().openAside(tables);
    }

    /// Replaces the oldest sealed memtable by the run that it became.
    ///
    /// @return the version that has it first, which the caller releases
    public Version installFlush(SealedMemtable flushed, WrittenRun run) throws IOException {
        return store.apply(
                VersionEdit.flush(run, flushed.logs(), flushed.memtable().lastSequence()), true);
    }

    public void installCompaction(VersionEdit edit) throws IOException {
        store.apply(edit);
    }

    /// Whether so much can be written without touching the room that writes and flushes need. Not knowing is no reason
    /// to refuse. Scans give way before kept logs go, as for writes: see the guard of the commit log.
    ///
    /// @return why not, or null
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

    /// The same for a merge that drops what was deleted. While the disk is too full for puts, it may use what is kept
    /// free, but for a quarter: otherwise nobody could make room by deleting.
    ///
    /// @param bytes that it will leave, about
    public EngineException.@Nullable StorageFull refuseRoomForDeletions(long bytes) {
        EngineException.StorageFull refusal = refuseRoom(bytes);
        long headroomBytes = store.options().headroomBytes();
        try {
            long usable = store.storage().usableBytes();
            return usable < headroomBytes && usable - bytes >= headroomBytes / 4 ? null : refusal;
        } catch (IOException _) {
            return null;
        }
    }

    /// Whether it is this table that is damaged.
    public boolean isIn(EngineException.Corruption damage, long table) {
        return damage.file().equals(store.storage().describe(FileNames.table(table)));
    }

    /// Whether it is this value file that is damaged.
    public boolean isInValues(EngineException.Corruption damage, long file) {
        return damage.file().equals(store.storage().describe(FileNames.values(file)));
    }

    /// What it means that the mapping of a table could not be read.
    ///
    /// @param bytes that the table has
    public EngineException.Corruption unreadable(long table, long bytes) {
        return ReadFault.damage(store.storage(), FileNames.table(table), bytes, 0);
    }

    /// What it means that the mapping of a value file could not be read.
    ///
    /// @param bytes that the file has
    public EngineException.Corruption unreadableValues(long file, long bytes) {
        return ReadFault.damage(store.storage(), FileNames.values(file), bytes, 0);
    }

    /// Deletes files that nothing refers to any more, after scans that keep too many have given way.
    public void deleteObsolete() {
        boundScans();
        store.versions().obsolete().delete();
    }

    /// Has scans give way, the oldest first, where the files that only they keep take more of the disk than is free
    /// beside the headroom. So there is room before a write is refused for want of it.
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
                // Not knowing is no reason.
            }
        }
    }

    /// Deletes logs whose records are in tables.
    public void deleteObsoleteLogs() {
        store.versions().obsolete().deleteLogs();
    }
}
