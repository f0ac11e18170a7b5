package kvant.move.violation;

/// Runs into a wall on purpose.
public final class MoveThatKnowsLsm {
    kvant.lsm.LsmEngine engine;
}
