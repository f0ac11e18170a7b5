package kvant.move.violation;

import kvant.lsm.LsmEngine;

/// Runs into a wall on purpose.
public final class MoveThatKnowsLsm {
    LsmEngine engine;
}
