package kvant.lsm.commit;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.Distribution;
import kvant.engine.GroupCommit;
import kvant.engine.MetricSink;
import kvant.lsm.commit.WriteThrottle.StallCause;
import kvant.lsm.store.Backlog;

/// The counters of the write path. Written by the commit thread, read by any thread.
final class CommitFigures {

    private static final double NANOS = 1e-9;
    private static final StallCause[] CAUSES = StallCause.values();

    private final Distribution groupWrites = new Distribution(1);
    private final Distribution waits = new Distribution(NANOS);
    private final Distribution syncs = new Distribution(NANOS);
    private final Distribution[] stalls = new Distribution[CAUSES.length];
    private final LongAdder preallocatedLogs = new LongAdder();
    private final LongAdder grownLogs = new LongAdder();

    CommitFigures() {
        for (int i = 0; i < CAUSES.length; i++) {
            stalls[i] = new Distribution(NANOS);
        }
    }

    void committed(int writes, long waitNanos) {
        groupWrites.record(writes);
        waits.record(waitNanos);
    }

    void synced(long nanos) {
        syncs.record(nanos);
    }

    void stalled(StallCause cause, long nanos) {
        stalls[cause.ordinal()].record(nanos);
    }

    void logBegun(boolean preallocated) {
        (preallocated ? preallocatedLogs : grownLogs).increment();
    }

    void measure(MetricSink sink, GroupCommit commits, Backlog.Amount backlog) {
        sink.histogram("kvant_lsm_commit_group_writes", "Writes in one commit group.", groupWrites);
        sink.histogram("kvant_lsm_commit_wait_seconds", "How long the oldest write of a group waited for it.", waits);
        sink.histogram("kvant_lsm_log_sync_seconds", "How long a sync of the log took.", syncs);
        for (StallCause cause : CAUSES) {
            sink.histogram(
                    "kvant_lsm_write_stall_seconds",
                    "How long commit groups were held back.",
                    stalls[cause.ordinal()],
                    "cause",
                    cause.label());
        }
        sink.counter("kvant_lsm_logs_begun_total", "Logs begun.", preallocatedLogs.sum(), "room", "preallocated");
        sink.counter("kvant_lsm_logs_begun_total", "Logs begun.", grownLogs.sum(), "room", "grown");
        sink.gauge("kvant_lsm_logs", "Live logs.", backlog.logs());
        sink.gauge(
                "kvant_lsm_commit_queue_bytes",
                "Bytes of writes that wait or are being committed.",
                commits.pendingBytes());
        sink.gauge(
                "kvant_lsm_commit_queue_writes", "Writes that wait or are being committed.", commits.pendingWrites());
        sink.gauge(
                "kvant_lsm_compaction_debt_bytes",
                "About how many bytes have to be merged before the levels have their shape.",
                backlog.debtBytes());
        sink.gauge("kvant_lsm_sealed_memtables", "Memtables that wait for their flush.", backlog.sealedMemtables());
    }
}
