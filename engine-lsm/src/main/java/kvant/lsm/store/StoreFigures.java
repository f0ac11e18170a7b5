package kvant.lsm.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import kvant.engine.ActivitySink;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.lsm.version.WrittenRun;

/// The store's counters of written bytes since the start, by purpose. Any thread may record and read.
public final class StoreFigures {

    // Atomic.
    private final Kind flushes = new Kind("flush", "flushes");
    private final Kind compactions = new Kind("compaction", "compactions");
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
    public Work flush(long inputBytes) {
        return new Work(flushes, new StorageEvent.Flush(), inputBytes, 0, activities);
    }

    /// A compaction begins, or a part of one.
    public Work compaction(long inputBytes, int inputTables) {
        return new Work(compactions, new StorageEvent.Compaction(), inputBytes, inputTables, activities);
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
        return compactions.unreadBytes.get();
    }

    /// Bytes written to logs, tables and value files for each byte of the mutations that were accepted; 0
    /// before the first.
    public double writeAmplification() {
        double user = userBytes.sum();
        return user == 0 ? 0 : (logBytes.sum() + flushes.writtenBytes.sum() + compactions.writtenBytes.sum()) / user;
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

    /// The counters of one kind of background work since the start: runs, bytes, durations. Any thread may record and
    /// read.
    private static final class Kind {

        // Constant.
        private final String name;
        private final String plural;

        // Atomic.
        private final LongAdder done = new LongAdder();
        private final LongAdder readBytes = new LongAdder();
        private final LongAdder writtenBytes = new LongAdder();
        private final Distribution nanos = new Distribution(1e-9);
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicLong unreadBytes = new AtomicLong();

        /// @param name `flush` or `compaction`
        /// @param plural of the name
        Kind(String name, String plural) {
            this.name = name;
            this.plural = plural;
        }

        void measure(MetricSink sink) {
            String metric = "kvant_lsm_" + name;
            sink.counter("kvant_lsm_" + plural + "_total", "How often a " + name + " was carried through.", done.sum());
            sink.counter(metric + "_read_bytes_total", "Bytes that each " + name + " read.", readBytes.sum());
            sink.counter(metric + "_written_bytes_total", "Bytes that each " + name + " wrote.", writtenBytes.sum());
            sink.gauge(
                    "kvant_lsm_" + plural + "_running", "Whether a " + name + " is being carried out.", running.get());
            sink.histogram(metric + "_seconds", "How long each " + name + " took.", nanos);
        }
    }

    /// A piece of work that has begun, from here to its close. Belongs to one thread.
    public static final class Work implements AutoCloseable {

        private final Kind kind;
        private final StorageEvent event;
        private final long startNanos = System.nanoTime();
        private final ActivitySink activities;
        private final long activity;
        private long unread;

        private Work(Kind kind, StorageEvent event, long inputBytes, int inputTables, ActivitySink activities) {
            this.kind = kind;
            this.event = event;
            this.activities = activities;
            this.activity = activities.began(kind.name);
            this.unread = inputBytes;
            event.inputBytes = inputBytes;
            event.inputTables = inputTables;
            kind.unreadBytes.addAndGet(inputBytes);
            kind.running.incrementAndGet();
            event.begin();
        }

        /// Counts a written table of about this size.
        public void progressed(long bytes) {
            long part = Math.min(unread, bytes);
            unread -= part;
            kind.unreadBytes.addAndGet(-part);
        }

        /// Counts an installed run.
        ///
        /// @param level of its tables
        public void done(int level, WrittenRun run) {
            kind.done.increment();
            kind.readBytes.add(event.inputBytes);
            kind.writtenBytes.add(run.bytes());
            kind.nanos.record(System.nanoTime() - startNanos);
            if (event.shouldCommit()) {
                event.level = level;
                event.outputBytes = run.bytes();
                event.outputTables = run.tables().size();
                event.commit();
            }
        }

        @Override
        public void close() {
            progressed(unread);
            kind.running.decrementAndGet();
            activities.ended(activity);
        }
    }

    /// The event of background work in a flight recording; costs nothing while no recording runs. The duration of the
    /// event is that of the work.
    @Category({"Kvant", "LSM"})
    @StackTrace(false)
    abstract static sealed class StorageEvent extends Event {

        @Label("Level")
        int level;

        @Label("Input")
        @DataAmount
        long inputBytes;

        @Label("Input Tables")
        int inputTables;

        @Label("Output")
        @DataAmount
        long outputBytes;

        @Label("Output Tables")
        int outputTables;

        /// A sealed memtable became tables.
        @Name("kvant.lsm.Flush")
        @Label("Flush")
        static final class Flush extends StorageEvent {}

        /// Tables became other tables.
        @Name("kvant.lsm.Compaction")
        @Label("Compaction")
        static final class Compaction extends StorageEvent {}
    }
}
