package kvant.lsm.store;

import kvant.lsm.read.Scans;
import kvant.lsm.read.SuperVersions;

/// What flush and compaction see of the store.
///
/// @param readers whose super versions a merge holds
/// @param scans which move on from memtables to tables
/// @param tables which they write and install
/// @param changes which they wait for
/// @param health where they say what failed
/// @param requests which compaction answers
/// @param figures where they count what they did
public record BackgroundView(
        SuperVersions readers,
        Scans scans,
        TableInstaller tables,
        Changes changes,
        StoreHealth health,
        OperatorRequests requests,
        StoreFigures figures) {}
