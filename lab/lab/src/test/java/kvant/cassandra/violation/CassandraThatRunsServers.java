package kvant.cassandra.violation;

import kvant.cluster.Cluster;

/// Runs into a wall on purpose.
public final class CassandraThatRunsServers {
    Cluster cluster;
}
