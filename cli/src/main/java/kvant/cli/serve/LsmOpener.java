package kvant.cli.serve;

import java.nio.file.Path;
import kvant.engine.Engine;
import kvant.lsm.LsmOptions;

/// Opens the LSM engine of a node: an experiment replaces `LsmEngine::open` to measure another implementation.
@FunctionalInterface
public interface LsmOpener {

    /// @param data the data directory
    Engine open(Path data, LsmOptions options);
}
