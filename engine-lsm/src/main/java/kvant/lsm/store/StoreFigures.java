package kvant.lsm.store;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.ActivitySink;
import kvant.engine.MetricSink;

/// The store's counters of written bytes since the start, by purpose. Any thread may record and read.
public final class StoreFigures {

    // Atomic.
    private final WorkFigures flushes = new WorkFigures("flush", "flushes");
    private final WorkFigures compactions = new WorkFigures("compaction", "compactions");
    private final LongAdder userBytes = new LongAdder();
    private final LongAdder logBytes = new LongAdder();
    private final LongAdder flushGaveWayNanos = new LongAdder();
    private final LongAdder gaveWayNanos = new LongAdder();
    private volatile ActivitySink activities = ActivitySink.NONE;

    /// A flush begins.
    ///
    ///     try (Work work = figures.flush(bytes)) { ...; work.done(level, run); }
    ///
    /// @param inputBytes of memory
    public WorkFigures.Work flush(long inputBytes) {
        return flushes.begin(new WorkFigures.StorageEvent.Flush(), inputBytes, 0, activities);
    }

    /// A compaction begins, or a part of one.
    public WorkFigures.Work compaction(long inputBytes, int inputTables) {
        return compactions.begin(new WorkFigures.StorageEvent.Compaction(), inputBytes, inputTables, activities);
    }

    /// Sets the sink for all work that begins from now on.
    public void observe(ActivitySink sink) {
        activities = sink;
    }

    /// The sink for background activities.
    public ActivitySink activities() {
        return activities;
    }

    /// Counts a commit group in the log.
    ///
    /// @param user bytes of its mutations, as they are encoded
    /// @param written bytes that the log has grown by
    public void logged(long user, long written) {
        userBytes.add(user);
        logBytes.add(written);
    }

    /// Counts a rest of a flush for the sake of requests.
    public void flushGaveWay(long nanos) {
        flushGaveWayNanos.add(nanos);
    }

    /// Counts a rest of a compaction for the sake of requests.
    public void gaveWay(long nanos) {
        gaveWayNanos.add(nanos);
    }

    /// Bytes that running compactions still have to read, to the precision of a table.
    public long unmergedBytes() {
        return compactions.unreadBytes();
    }

    /// Bytes written to logs, tables and value files for each byte of the mutations that were accepted; 0
    /// before the first.
    public double writeAmplification() {
        double user = userBytes.sum();
        return user == 0 ? 0 : (logBytes.sum() + flushes.writtenBytes() + compactions.writtenBytes()) / user;
    }

    public void measure(MetricSink sink) {
        sink.counter("kvant_lsm_user_bytes_total", "Bytes of the mutations that were accepted.", userBytes.sum());
        sink.counter("kvant_lsm_log_written_bytes_total", "Bytes written to logs.", logBytes.sum());
        sink.gauge(
                "kvant_lsm_write_amplification",
                "Bytes written to logs, tables and value files for each byte of accepted mutations.",
                writeAmplification());
        flushes.measure(sink);
        compactions.measure(sink);
        sink.counter(
                "kvant_lsm_flush_gave_way_seconds_total",
                "Time that flushes yielded to requests.",
                flushGaveWayNanos.sum() * 1e-9);
        sink.counter(
                "kvant_lsm_compaction_gave_way_seconds_total",
                "How long compactions rested while requests wanted cores or the disk.",
                gaveWayNanos.sum() * 1e-9);
    }
}
