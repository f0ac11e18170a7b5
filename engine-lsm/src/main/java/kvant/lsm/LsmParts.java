package kvant.lsm;

import java.util.List;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;

/// Replacements or wrappers for parts of the engine, with which experiments measure the worth of a part. The product
/// uses [#OWN].
public interface LsmParts {

    /// The engine as it is.
    LsmParts OWN = new LsmParts() {};

    /// @param expectedBytes approximate size of its content
    default Memtable memtable(long expectedBytes) {
        return new ArenaMemtable(expectedBytes);
    }

    /// Wraps or replaces the commit log that the commit thread calls.
    ///
    /// @param flush lets the wrapper request a flush, on that thread
    default GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
        return log;
    }

    /// Additional health checks, so that a node shows how it was started.
    default List<Health.Check> checks() {
        return List.of();
    }
}
