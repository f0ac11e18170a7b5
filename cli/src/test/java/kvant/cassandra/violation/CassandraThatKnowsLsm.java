package kvant.cassandra.violation;

/// Runs into a wall on purpose.
public final class CassandraThatKnowsLsm {
    kvant.lsm.LsmEngine engine;
}
