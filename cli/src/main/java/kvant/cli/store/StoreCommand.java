package kvant.cli.store;

import java.util.function.Consumer;
import kvant.cli.control.DirectoryCommand;
import kvant.cli.engine.LocalStore;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Maintenance;

/// A command about a store: asks the node that serves it, or opens it where there is none.
abstract class StoreCommand extends DirectoryCommand {

    /// Opens the store, which replays its logs, and closes it.
    void withStore(Consumer<Maintenance> work) {
        try (Engine engine = LocalStore.open(LocalStore.of(data()), data(), Durability.ALWAYS)) {
            Maintenance maintenance = engine.maintenance();
            if (maintenance == null) {
                throw new EngineException.CannotOpen("the engine of " + data() + " has no such command");
            }
            work.accept(maintenance);
        }
    }
}
