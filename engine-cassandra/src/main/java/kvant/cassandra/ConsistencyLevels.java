package kvant.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import org.jspecify.annotations.Nullable;

/// The consistency levels for the parameters `ack=A&from=F`.
///
/// @param replicas copies of each key
/// @param local whether only the local datacenter counts
record ConsistencyLevels(int replicas, boolean local) {

    /// More than half.
    int quorum() {
        return replicas / 2 + 1;
    }

    /// The level for requests that do not name one.
    ConsistencyLevel usual() {
        return local ? DefaultConsistencyLevel.LOCAL_QUORUM : DefaultConsistencyLevel.QUORUM;
    }

    /// The level under which conditions are evaluated.
    ConsistencyLevel serial() {
        return local ? DefaultConsistencyLevel.LOCAL_SERIAL : DefaultConsistencyLevel.SERIAL;
    }

    /// @param acks 1 to the number of replicas, or 0 for the usual level
    /// @return null when Cassandra has no such level
    @Nullable
    ConsistencyLevel of(int acks) {
        if (acks == 0 || acks == quorum()) {
            return usual();
        }
        if (acks == 1) {
            return local ? DefaultConsistencyLevel.LOCAL_ONE : DefaultConsistencyLevel.ONE;
        }
        if (local) {
            return null; // there is no LOCAL_TWO, and TWO would count other datacenters
        }
        if (acks == replicas) {
            return DefaultConsistencyLevel.ALL;
        }
        return switch (acks) {
            case 2 -> DefaultConsistencyLevel.TWO;
            case 3 -> DefaultConsistencyLevel.THREE;
            default -> null;
        };
    }
}
