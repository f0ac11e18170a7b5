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

/// The counters of one kind of background work since the start: runs, bytes, durations. Any thread may record and
/// read.
public final class WorkFigures {

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
    WorkFigures(String name, String plural) {
        this.name = name;
        this.plural = plural;
    }

    /// A piece of work that has begun, from here to its close. Belongs to one thread.
    public final class Work implements AutoCloseable {

        private final StorageEvent event;
        private final long startNanos = System.nanoTime();
        private final ActivitySink activities;
        private final long activity;
        private long unread;

        private Work(StorageEvent event, long inputBytes, int inputTables, ActivitySink activities) {
            this.event = event;
            this.activities = activities;
            this.activity = activities.began(name);
            this.unread = inputBytes;
            event.inputBytes = inputBytes;
            event.inputTables = inputTables;
            unreadBytes.addAndGet(inputBytes);
            running.incrementAndGet();
            event.begin();
        }

        /// Counts a written table of about this size.
        public void progressed(long bytes) {
            long part = Math.min(unread, bytes);
            unread -= part;
            unreadBytes.addAndGet(-part);
        }

        /// Counts an installed run.
        ///
        /// @param level of its tables
        public void done(int level, WrittenRun run) {
            done.increment();
            readBytes.add(event.inputBytes);
            writtenBytes.add(run.bytes());
            nanos.record(System.nanoTime() - startNanos);
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
            running.decrementAndGet();
            activities.ended(activity);
        }
    }

    Work begin(StorageEvent event, long inputBytes, int inputTables, ActivitySink activities) {
        return new Work(event, inputBytes, inputTables, activities);
    }

    long writtenBytes() {
        return writtenBytes.sum();
    }

    /// The bytes that running work still has to read.
    long unreadBytes() {
        return unreadBytes.get();
    }

    void measure(MetricSink sink) {
        String metric = "kvant_lsm_" + name;
        sink.counter("kvant_lsm_" + plural + "_total", "How often a " + name + " was carried through.", done.sum());
        sink.counter(metric + "_read_bytes_total", "Bytes that each " + name + " read.", readBytes.sum());
        sink.counter(metric + "_written_bytes_total", "Bytes that each " + name + " wrote.", writtenBytes.sum());
        sink.gauge("kvant_lsm_" + plural + "_running", "Whether a " + name + " is being carried out.", running.get());
        sink.histogram(metric + "_seconds", "How long each " + name + " took.", nanos);
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
