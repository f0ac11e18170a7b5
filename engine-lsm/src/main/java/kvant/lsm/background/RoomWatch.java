package kvant.lsm.background;

import kvant.engine.EngineException;
import kvant.lsm.store.TableInstaller;

/// Ends a merge that meets a disk which others have filled meanwhile: what it has written is deleted again, and leaves
/// the room to writes and flushes. Belongs to one merge.
final class RoomWatch {

    private static final long CHECK_BYTES = 8 << 20;

    private final TableInstaller tables;
    private final boolean dropsDeletions;
    private long unchecked;

    /// @param dropsDeletions whether the merge may use more than others on a full disk
    RoomWatch(TableInstaller tables, boolean dropsDeletions) {
        this.tables = tables;
        this.dropsDeletions = dropsDeletions;
    }

    /// @throws EngineException.StorageFull when less is free than has to stay so
    void wrote(long bytes) {
        unchecked += bytes;
        if (unchecked >= CHECK_BYTES) {
            unchecked = 0;
            tables.deleteObsolete(); // the merge may take long, and scans may give way meanwhile
            EngineException.StorageFull refusal =
                    dropsDeletions ? tables.refuseRoomForDeletions(0) : tables.refuseRoom(0);
            if (refusal != null) {
                throw refusal;
            }
        }
    }
}
