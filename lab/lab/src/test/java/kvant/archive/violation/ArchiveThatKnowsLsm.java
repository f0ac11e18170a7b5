package kvant.archive.violation;

import kvant.lsm.LsmEngine;

/// Runs into a wall on purpose.
public final class ArchiveThatKnowsLsm {
    LsmEngine engine;
}
