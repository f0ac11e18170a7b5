package kvant.server;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// An engine that answers later, as one over a network does, when the test says so. It has three replicas and no data.
public final class LaterEngine implements Engine {

    public final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    public final Queue<Write> writes = new ConcurrentLinkedQueue<>();

    @Override
    public boolean answersLater() {
        return true;
    }

    @Override
    public int replicas() {
        return 3;
    }

    /// Whether it throws once it has a read, which it must not.
    public boolean throwing;

    @Override
    public void submit(Read read) {
        reads.add(read);
        if (throwing) {
            throw new IllegalStateException("planted");
        }
    }

    @Override
    public void submit(Write write) {
        writes.add(write);
    }

    /// What the oldest write without an outcome asked for, and its end.
    Terms fail(EngineException reason) {
        Write write = writes.remove();
        write.failed(reason);
        write.sink().completed(write);
        write.sink().wake();
        return write.terms();
    }

    @Override
    public Lookup tryGet(byte[] key) {
        throw new AssertionError("asked on the spot, and it answers later");
    }

    @Override
    public Lookup get(byte[] key) {
        throw new AssertionError("a thread waits, and it answers later");
    }

    @Override
    public Lookup[] getAll(byte[][] keys) {
        throw new AssertionError("a thread waits, and it answers later");
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        throw new EngineException.TimedOut("1 of 2 replicas answered");
    }

    @Override
    public Health health() {
        return new Health(List.of());
    }

    @Override
    public void close() {}
}
