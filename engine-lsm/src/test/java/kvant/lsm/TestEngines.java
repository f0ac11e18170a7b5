package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Maintenance;
import kvant.lsm.operate.Checkpoint;
import kvant.lsm.operate.LsmMaintenance;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.Store;

/// Access to an engine's internals for tests in other packages.
public final class TestEngines {

    private TestEngines() {}

    /// Opens a store in any storage.
    public static LsmEngine open(Storage storage, LsmOptions options) {
        return open(storage, options, LsmParts.OWN);
    }

    /// Opens a store in any storage with an engine of other parts.
    public static LsmEngine open(Storage storage, LsmOptions options, LsmParts parts) {
        return LsmEngine.open(storage, options, parts, null);
    }

    /// Of an engine in any storage; checkpoints need a directory.
    public static Maintenance maintenance(LsmEngine engine, LsmOptions options) {
        Checkpoint.Context checkpoints = new Checkpoint.Context(Path.of("none"), options.table(), options.random());
        return new LsmMaintenance(engine, engine.store(), checkpoints);
    }

    /// The state that its threads share.
    public static Store store(LsmEngine engine) {
        return engine.store();
    }
}
