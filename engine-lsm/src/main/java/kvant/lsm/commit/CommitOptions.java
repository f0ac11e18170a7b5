package kvant.lsm.commit;

import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.store.MemtableRoom;

/// What the write path needs to know of the engine's options.
///
/// @param durability what an acknowledgement promises
/// @param room for memtables
/// @param throttle how writes slow down while flush and compaction lag behind
/// @param preallocatedBytes size of the files of zeros into which logs are written; 0 to let them grow
/// @param headroomBytes writes are refused while the disk has less room than this
/// @param maxDataBytes writes are refused while the store has as much
/// @param random gives the ids of logs
/// @param clock for expiry
public record CommitOptions(
        Durability durability,
        MemtableRoom room,
        WriteThrottle throttle,
        long preallocatedBytes,
        long headroomBytes,
        long maxDataBytes,
        RandomGenerator random,
        ExpiryClock clock) {}
