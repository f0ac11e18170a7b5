package kvant.lsm.background;

import java.time.InstantSource;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.MergeUrgency;
import kvant.lsm.store.MemtableRoom;

/// What the background work needs to know of the engine's options.
///
/// @param urgency of merges, before which they give way to requests
/// @param room that memtables have, which tells whether a flush has time
/// @param clock for expiry
public record BackgroundOptions(
        CompactionOptions compaction, MergeUrgency urgency, MemtableRoom room, InstantSource clock) {}
