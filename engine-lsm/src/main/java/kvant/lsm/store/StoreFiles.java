package kvant.lsm.store;

import java.util.List;
import kvant.lsm.storage.Storage;

/// The files of an open store, for operators. Any thread may call it.
public final class StoreFiles {

    private final StoreState state;

    StoreFiles(StoreState state) {
        this.state = state;
    }

    /// Where they are.
    public Storage storage() {
        return state.storage();
    }

    /// The numbers of the live logs, oldest first.
    public List<Long> logs() {
        return List.copyOf(state.versions().state().logs());
    }

    /// Bytes of logs that are kept for those who follow changes alone.
    public long retainedLogBytes() {
        return state.versions().retainedLogBytes();
    }

    /// Files that nothing refers to any more and that are still there.
    public int obsoleteFiles() {
        return state.versions().obsoleteFiles();
    }
}
