package kvant.lsm;

import java.time.Duration;
import java.util.List;
import kvant.engine.GroupCommit;
import kvant.engine.Write;
import kvant.lsm.memtable.Memtable;

/// The published way to flush, kept to be measured and not to be used: the write that fills the memtable waits for
/// its flush before it is acknowledged, and all others wait behind it.
///
///     CommitLog: judge, append, sync, apply -> full? seal, await the flush -> acknowledge
///
/// The flush thread does the work as ever, and the commit thread, to which this belongs, waits for it. A flush that
/// fails is not waited for: what the log has is safe, and [WriteStall] turns writes away when there is no room left.
final class ForegroundFlush implements GroupCommit.Log {

    /// Each change wakes the commit thread; this is for the one that nobody thought of.
    private static final long RECHECK_NANOS = Duration.ofMillis(250).toNanos();

    private final CommitLog log;
    private final Store store;
    private final LsmOptions options;

    ForegroundFlush(CommitLog log, Store store, LsmOptions options) {
        this.log = log;
        this.store = store;
        this.options = options;
    }

    @Override
    public void commit(List<Write> group) {
        Memtable before = store.current().active();
        log.commit(group);
        if (store.writeFailure() == null && Backlog.mustSeal(store.current().active(), options)) {
            log.makeRoom(); // why it could not is for the next group to hear: this one is in the log
        }
        if (store.current().active() != before) {
            awaitFlush();
        }
    }

    private void awaitFlush() {
        store.backlog().begin();
        try {
            while (!store.current().sealed().isEmpty() && store.flushTrouble() == null) {
                store.backlog().await(RECHECK_NANOS);
            }
        } finally {
            store.backlog().end();
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
