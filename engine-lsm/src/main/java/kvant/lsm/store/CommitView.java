package kvant.lsm.store;

import kvant.lsm.read.SuperVersions;

/// What the commit thread sees of the store.
///
/// @param readers for conditions
/// @param memtables which it fills, seals and publishes
/// @param backlog which it waits for
/// @param health where it says that a log failed
/// @param figures where it counts what it wrote
public record CommitView(
        SuperVersions readers,
        MemtableSwitch memtables,
        BacklogWatch backlog,
        StoreHealth health,
        StoreFigures figures) {}
