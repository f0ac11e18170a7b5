package kvant.lsm;

import java.util.List;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;

/// What experiments may put in the place of a part of the engine, or around it, to measure what the part is worth. The
/// product takes [#OWN].
public interface LsmParts {

    /// The engine as it is.
    LsmParts OWN = new LsmParts() {};

    /// Makes an empty memtable.
    ///
    /// @param expectedBytes about how much it will hold
    default Memtable memtable(long expectedBytes) {
        return new ArenaMemtable(expectedBytes);
    }

    /// What the commit thread calls in the place of the commit log.
    ///
    /// @param flush what it may ask for besides, on that thread
    default GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
        return log;
    }

    /// What health says of it, so that a node shows how it was started.
    default List<Health.Check> checks() {
        return List.of();
    }
}
