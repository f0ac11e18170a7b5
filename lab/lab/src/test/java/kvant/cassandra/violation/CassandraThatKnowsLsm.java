package kvant.cassandra.violation;

import kvant.lsm.LsmEngine;

/// Runs into a wall on purpose.
public final class CassandraThatKnowsLsm {
    LsmEngine engine;
}
