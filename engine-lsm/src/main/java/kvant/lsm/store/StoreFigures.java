package kvant.lsm.store;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.ActivitySink;
import kvant.engine.MetricSink;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.WrittenRun;

/// What the store has written since the start, and for what. Any thread may record and read.
public final class StoreFigures {

    // Atomic.
    private final WorkFigures flushes = new WorkFigures();
    private final WorkFigures compactions = new WorkFigures();
    private final LongAdder userBytes = new LongAdder();
    private final LongAdder logBytes = new LongAdder();
    private final LongAdder flushGaveWayNanos = new LongAdder();
    private final LongAdder gaveWayNanos = new LongAdder();
    private final AtomicLong unmergedBytes = new AtomicLong();
    private volatile ActivitySink activities = ActivitySink.NONE;

    /// A piece of work that has begun, from here to its close.
    ///
    ///     try (Work work = figures.flush(bytes)) { ...; work.done(level, tables); }
    ///
    /// Belongs to one thread.
    public static final class Work implements AutoCloseable {

        private final WorkFigures figures;
        private final StorageEvent event;
        private final long inputBytes;
        private final int inputTables;
        private final AtomicLong unread;
        private final long startNanos = System.nanoTime();
        private final ActivitySink activities;
        private final long activity;
        private long unreadBytes;

        private Work(
                WorkFigures figures,
                StorageEvent event,
                AtomicLong unread,
                long inputBytes,
                int inputTables,
                ActivitySink activities,
                String kind) {
            this.activities = activities;
            this.activity = activities.began(kind);
            this.unread = unread;
            this.unreadBytes = inputBytes;
            unread.addAndGet(inputBytes);
            this.figures = figures;
            this.event = event;
            this.inputBytes = inputBytes;
            this.inputTables = inputTables;
            figures.begun();
            event.begin();
        }

        /// A table has been written, of about this size.
        public void progressed(long bytes) {
            long part = Math.min(unreadBytes, bytes);
            unreadBytes -= part;
            unread.addAndGet(-part);
        }

        /// Counts what has been installed.
        ///
        /// @param level that the tables went to
        public void done(int level, WrittenRun run) {
            long written = run.bytes();
            figures.done(inputBytes, written, System.nanoTime() - startNanos);
            if (event.shouldCommit()) {
                event.level = level;
                event.inputBytes = inputBytes;
                event.inputTables = inputTables;
                event.outputBytes = written;
                event.outputTables = run.tables().size();
                event.commit();
            }
        }

        @Override
        public void close() {
            progressed(unreadBytes);
            figures.ended();
            activities.ended(activity);
        }
    }

    /// A flush begins.
    ///
    /// @param inputBytes of memory
    public Work flush(long inputBytes) {
        return new Work(flushes, new StorageEvent.Flush(), new AtomicLong(), inputBytes, 0, activities, "flush");
    }

    /// A compaction begins, or a part of one.
    public Work compaction(long inputBytes, int inputTables) {
        return new Work(
                compactions,
                new StorageEvent.Compaction(),
                unmergedBytes,
                inputBytes,
                inputTables,
                activities,
                "compaction");
    }

    /// Has somebody told of all work that begins from now on.
    public void observe(ActivitySink sink) {
        activities = sink;
    }

    /// Whom to tell of what is done besides answering.
    public ActivitySink activities() {
        return activities;
    }

    /// A commit group is in the log.
    ///
    /// @param user bytes of its mutations, as they are encoded
    /// @param written bytes that the log has grown by
    public void logged(long user, long written) {
        userBytes.add(user);
        logBytes.add(written);
    }

    /// A flush rests, so that requests get on.
    public void flushGaveWay(long nanos) {
        flushGaveWayNanos.add(nanos);
    }

    /// A compaction rests, so that requests get on.
    public void gaveWay(long nanos) {
        gaveWayNanos.add(nanos);
    }

    /// Bytes that the compactions which are going on still have to read, to the precision of a table.
    public long unmergedBytes() {
        return unmergedBytes.get();
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
        flushes.measure(sink, "flush", "flushes");
        compactions.measure(sink, "compaction", "compactions");
        sink.counter(
                "kvant_lsm_flush_gave_way_seconds_total",
                "How long flushes rested while somebody wrote and there was time.",
                flushGaveWayNanos.sum() * 1e-9);
        sink.counter(
                "kvant_lsm_compaction_gave_way_seconds_total",
                "How long compactions rested while requests wanted cores or the disk.",
                gaveWayNanos.sum() * 1e-9);
    }

    private static long bytesOf(List<TableInfo> tables) {
        long bytes = 0;
        for (TableInfo table : tables) {
            bytes += table.bytes();
        }
        return bytes;
    }
}
