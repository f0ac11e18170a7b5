package kvant.prove.trial;

/// A fault of a store under load, once in each trip. Afterwards no process uses the store.
public interface Fault {

    void strike(StoreRun run) throws Exception;

    /// Prepares a run: makes its disk, sets the folder of the store and the start of its node.
    interface Setting {

        Fault prepare(StoreRun run) throws Exception;
    }
}
