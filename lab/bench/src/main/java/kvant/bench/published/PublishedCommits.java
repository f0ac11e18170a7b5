package kvant.bench.published;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.GroupCommit;
import kvant.engine.Write;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.Memtable;
import org.jspecify.annotations.Nullable;

/// Commits as in published servers, for measurements only, on the commit thread:
///
///     lock -> CommitLog: judge, append, sync, apply -> full? seal, await the flush -> unlock -> acknowledge
///
/// With foreground flushes, the write that fills the memtable waits for the flush before it is acknowledged, and all
/// later writes wait behind it. The flush thread does the work as usual. A failed flush is not waited for: the writes
/// are in the log, and the engine refuses writes when the memtables are full.
///
/// @param foreground null if flushes are in the background
/// @param lock held by each group, including stalls and foreground flushes; null without [LockedReads]
record PublishedCommits(
        GroupCommit.Log log,
        @Nullable MemtableFlush foreground,
        @Nullable ReentrantLock lock) implements GroupCommit.Log {

    @Override
    public void commit(List<Write> group) {
        if (lock == null) {
            commitAndFlush(group);
            return;
        }
        lock.lock();
        try {
            commitAndFlush(group);
        } finally {
            lock.unlock();
        }
    }

    private void commitAndFlush(List<Write> group) {
        if (foreground == null) {
            log.commit(group);
            return;
        }
        Memtable before = foreground.active();
        log.commit(group);
        foreground.sealIfFull();
        if (foreground.active() != before) {
            foreground.await();
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
