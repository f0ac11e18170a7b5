package kvant.server;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine that answers later, as one over a network does, when the test says so. It has three replicas and no
/// data.
public final class LaterEngine implements RemoteEngine {

    public final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    public final Queue<Write> writes = new ConcurrentLinkedQueue<>();

    @Override
    public int replicas() {
        return 3;
    }

    /// Whether it throws once it has a read, which it must not.
    public boolean throwing;

    /// The figures of this engine.
    volatile Consumer<MetricSink> figures = _ -> {};

    /// Of the newest read or write.
    volatile Terms terms = Terms.USUAL;

    @Override
    public void submit(Read read, Terms itsTerms) {
        terms = itsTerms;
        reads.add(read);
        if (throwing) {
            throw new IllegalStateException("planted");
        }
    }

    @Override
    public void submit(Write write, Terms itsTerms) {
        terms = itsTerms;
        writes.add(write);
    }

    /// The end of the oldest write without an outcome.
    void fail(EngineException reason) {
        Write write = writes.remove();
        write.failed(reason);
        write.sink().completed(write);
        write.sink().wake();
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        throw new EngineException.TimedOut("1 of 2 replicas answered");
    }

    @Override
    public void measure(MetricSink sink) {
        figures.accept(sink);
    }

    @Override
    public Health health() {
        return new Health(List.of());
    }

    @Override
    public void close() {}
}
