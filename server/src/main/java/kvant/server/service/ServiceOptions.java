package kvant.server.service;

import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;
import org.jspecify.annotations.Nullable;

/// The settings of a service.
///
/// @param scanRoundBytes approximate size of a scan's round
/// @param maxInFlight most calls of one loop; a bound for its adaptive limit
/// @param pool workers, for executors that have some
/// @param writes workers of their own for writes, or null where reads and writes share the pool
public record ServiceOptions(
        int scanRoundBytes,
        int maxInFlight,
        PoolOptions pool,
        @Nullable PoolOptions writes,
        AdmissionOptions admission) {}
