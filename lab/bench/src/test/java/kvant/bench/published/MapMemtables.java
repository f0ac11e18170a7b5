package kvant.bench.published;

import java.util.List;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.lsm.LsmParts;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.Memtable;

/// An engine with [MapMemtable] in the place of its memtable.
///
/// @param others its other parts
record MapMemtables(LsmParts others) implements LsmParts {

    @Override
    public Memtable memtable(long expectedBytes) {
        return new MapMemtable();
    }

    @Override
    public GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
        return others.aroundCommits(log, flush);
    }

    @Override
    public List<Health.Check> checks() {
        return others.checks();
    }
}
