package kvant.backup.violation;

import kvant.engine.Engine;

/// Runs into a wall on purpose.
public final class BackupThatKnowsTheEngine {
    Engine engine;
}
