package kvant.lsm.store;

import kvant.lsm.read.SuperVersions;

/// What operators see of the store.
///
/// @param readers whose super versions are looked at and copied
/// @param files that belong to the store or await deletion
/// @param changes which they wait for
/// @param health what keeps a request from being answered
/// @param requests which they make
/// @param figures what has been done
public record OperatorView(
        SuperVersions readers,
        StoreFiles files,
        Changes changes,
        StoreHealth health,
        OperatorRequests requests,
        StoreFigures figures) {}
