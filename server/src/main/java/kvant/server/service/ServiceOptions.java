package kvant.server.service;

import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;
import org.jspecify.annotations.Nullable;

/// How a service is set up.
///
/// @param scanRoundBytes about how much a scan pulls in one round
/// @param maxInFlight most calls of one loop; a bound for its adaptive limit
/// @param pool workers, for executors that have some
/// @param writes workers of their own for writes, or null where reads and writes share the pool
public record ServiceOptions(
        int scanRoundBytes,
        int maxInFlight,
        PoolOptions pool,
        @Nullable PoolOptions writes,
        AdmissionOptions admission) {}
