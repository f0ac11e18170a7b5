package kvant.lsm.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.engine.GroupCommit;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;

/// The engine's options as the packages below it see them: `LsmOptions`, whole, which says what each of them means.
public interface StoreOptions {

    /// For [#retainedLogBytes]: to keep as much of logs as there is, where some are kept, and else none.
    long AS_FOUND = -1;

    Durability durability();

    long memtableBytes();

    int maxSealedMemtables();

    long maxSealedBytes();

    long preallocatedBytes();

    TableOptions table();

    ValueOptions values();

    CompactionOptions compaction();

    long headroomBytes();

    long maxDataBytes();

    long retainedLogBytes();

    long heldLogBytes();

    int replayThreads();

    long manifestBytes();

    Duration maxScanLife();

    long maxPinnedMemtableBytes();

    int maxOpenScans();

    GroupCommit.Options commit();

    InstantSource clock();

    RandomGenerator random();
}
