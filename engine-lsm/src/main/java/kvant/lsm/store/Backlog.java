package kvant.lsm.store;

import kvant.lsm.version.Levels;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;

/// What waits for the flush thread and the compaction thread, as of one super version.
///
/// @param sealedMemtables that wait for their flush
/// @param sealedBytes memory that they hold
/// @param levelZeroRuns runs of tables that overlap with others, each of which a read has to ask
/// @param debtBytes about how many bytes have to be merged before the tables have the shape that the picker wants
/// @param logs that are live
public record Backlog(int sealedMemtables, long sealedBytes, int levelZeroRuns, long debtBytes, int logs) {

    static final Backlog NONE = new Backlog(0, 0, 0, 0, 0);

    static Backlog of(Iterable<SealedMemtable> sealed, Version version, long debtBytes, int logs) {
        int sealedMemtables = 0;
        long sealedBytes = 0;
        for (SealedMemtable each : sealed) {
            sealedMemtables++;
            sealedBytes += each.memtable().bytes();
        }
        int levelZeroRuns = 0;
        for (Run run : version.runs()) {
            levelZeroRuns += Levels.levelOf(run.id()) == 0 ? 1 : 0;
        }
        return new Backlog(sealedMemtables, sealedBytes, levelZeroRuns, debtBytes, logs);
    }
}
