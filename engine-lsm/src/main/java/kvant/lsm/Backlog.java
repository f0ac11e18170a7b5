package kvant.lsm;

import kvant.lsm.memtable.Memtable;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;

/// What waits for the flush thread and the compaction thread, as of one super version.
///
/// @param sealedMemtables that wait for their flush
/// @param sealedBytes memory that they hold
/// @param levelZeroRuns runs of tables that overlap with others, each of which a read has to ask
/// @param logs that are live
record Backlog(int sealedMemtables, long sealedBytes, int levelZeroRuns, int logs) {

    static Backlog of(Iterable<Store.Sealed> sealed, Version version, int logs) {
        int sealedMemtables = 0;
        long sealedBytes = 0;
        for (Store.Sealed each : sealed) {
            sealedMemtables++;
            sealedBytes += each.memtable().bytes();
        }
        int levelZeroRuns = 0;
        for (Run run : version.runs()) {
            levelZeroRuns += Levels.levelOf(run.id()) == 0 ? 1 : 0;
        }
        return new Backlog(sealedMemtables, sealedBytes, levelZeroRuns, logs);
    }

    /// Whether a memtable takes no more writes.
    static boolean mustSeal(Memtable active, LsmOptions options) {
        return !active.isEmpty() && active.bytes() >= options.memtableBytes();
    }

    /// The share of the room for memtables that is taken: 1 where no write can be taken before one is flushed,
    /// and less everywhere else. One memtable may always wait, however large it is.
    double memtableShare(Memtable active, LsmOptions options) {
        if (sealedMemtables == 0) {
            return 0;
        }
        long activeBytes = active.bytes();
        boolean maySeal = sealedMemtables < options.maxSealedMemtables()
                && sealedBytes + activeBytes <= options.sealedBytesBound();
        if (!maySeal && mustSeal(active, options)) {
            return 1;
        }
        double filled = Math.min(1, (double) activeBytes / options.memtableBytes());
        double byCount = (sealedMemtables + filled) / (options.maxSealedMemtables() + 1);
        double byBytes =
                (sealedBytes + (double) activeBytes) / (options.sealedBytesBound() + (double) options.memtableBytes());
        return Math.min(Math.max(byCount, byBytes), Math.nextDown(1.0));
    }
}
