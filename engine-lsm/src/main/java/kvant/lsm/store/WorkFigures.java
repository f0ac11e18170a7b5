package kvant.lsm.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;

/// What one kind of work in the background has done since the start: how often, how much, how long. Any thread may
/// record and read.
final class WorkFigures {

    // Atomic.
    private final LongAdder done = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final Distribution nanos = new Distribution(1e-9);
    private final AtomicInteger running = new AtomicInteger();

    void begun() {
        running.incrementAndGet();
    }

    void ended() {
        running.decrementAndGet();
    }

    void done(long read, long written, long tookNanos) {
        done.increment();
        readBytes.add(read);
        writtenBytes.add(written);
        nanos.record(tookNanos);
    }

    long writtenBytes() {
        return writtenBytes.sum();
    }

    /// @param name `flush` or `compaction`
    /// @param plural of the name
    void measure(MetricSink sink, String name, String plural) {
        String metric = "kvant_lsm_" + name;
        sink.counter("kvant_lsm_" + plural + "_total", "How often a " + name + " was carried through.", done.sum());
        sink.counter(metric + "_read_bytes_total", "Bytes that each " + name + " read.", readBytes.sum());
        sink.counter(metric + "_written_bytes_total", "Bytes that each " + name + " wrote.", writtenBytes.sum());
        sink.gauge("kvant_lsm_" + plural + "_running", "Whether a " + name + " is being carried out.", running.get());
        sink.histogram(metric + "_seconds", "How long each " + name + " took.", nanos);
    }
}
