package kvant.bench.published;

import java.util.List;
import kvant.engine.GroupCommit;
import kvant.engine.Write;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.Memtable;

/// The published way to flush, for measurements only: the write that fills the memtable waits for its flush before
/// it is acknowledged, and all others wait behind it.
///
///     CommitLog: judge, append, sync, apply -> full? seal, await the flush -> acknowledge
///
/// The flush thread does the work as ever, and the commit thread, to which this belongs, waits for it. A flush that
/// fails is not waited for: the writes are in the log, and the engine refuses writes when the memtables are full.
final class ForegroundFlush implements GroupCommit.Log {

    private final GroupCommit.Log log;
    private final MemtableFlush flush;

    ForegroundFlush(GroupCommit.Log log, MemtableFlush flush) {
        this.log = log;
        this.flush = flush;
    }

    @Override
    public void commit(List<Write> group) {
        Memtable before = flush.active();
        log.commit(group);
        flush.sealIfFull();
        if (flush.active() != before) {
            flush.await();
        }
    }

    @Override
    public long idleDueNanos() {
        return log.idleDueNanos();
    }

    @Override
    public void idle() {
        log.idle();
    }

    @Override
    public void finish() {
        log.finish();
    }
}
