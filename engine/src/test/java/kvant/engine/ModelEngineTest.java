package kvant.engine;

import java.nio.file.Path;

/// The suite passes on the simplest engine that keeps the contract.
class ModelEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return ModelEngine.open(directory, durability, Fault.NONE);
    }
}
