package kvant.prove.trial;

/// What happens to a store under load, once in each trip. Afterwards no process uses the store.
public interface Fault {

    void strike(StoreRun run) throws Exception;

    /// Makes what a run needs, such as a disk, and may say where the store is and how its node is started.
    interface Setting {

        Fault prepare(StoreRun run) throws Exception;
    }
}
