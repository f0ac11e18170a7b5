package kvant.engine;

import java.nio.file.Path;

/// Every promise of a [LocalEngine], which are those of [EngineContract] and the ones of one machine.
public abstract class LocalEngineContract extends EngineContract
        implements LocalReadContract, SnapshotContract, BatchConditionContract, DirectoryContract, ModelContract {

    @Override
    protected abstract LocalEngine open(Path directory, Durability durability);

    @Override
    public final int longestKeyBytes() {
        return super.longestKeyBytes();
    }
}
