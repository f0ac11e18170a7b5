package kvant.move.mirror;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.Read;
import kvant.engine.RemoteEngine;
import kvant.engine.Terms;
import kvant.engine.Write;
import org.jspecify.annotations.Nullable;

/// A local engine that answers reads asynchronously, so that it can be one side of a [RemoteMirror]. Reads from memory
/// are answered within the call, all others by a few threads behind a bounded queue. The threads start on demand and
/// end when idle. Owns the engine.
///
/// It has one replica and no network, so it ignores [Terms].
public final class OffloadedEngine implements RemoteEngine {

    private static final int MOST_WAITING = 16_384;
    private static final int THREADS_PER_CORE = 4;
    private static final long IDLE_SECONDS = 10;

    private final LocalEngine engine;
    private final ThreadPoolExecutor threads;

    public OffloadedEngine(LocalEngine engine) {
        this.engine = engine;
        int count = THREADS_PER_CORE * Runtime.getRuntime().availableProcessors();
        threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().name("kvant-mirror-read-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public int replicas() {
        return 1;
    }

    @Override
    public void submit(Read read, Terms terms) {
        try {
            Lookup lookup = engine.tryGet(read.key(), read);
            if (lookup != Lookup.Miss.WOULD_BLOCK) {
                read.answered(lookup);
                return;
            }
            threads.execute(() -> ask(read));
        } catch (EngineException e) {
            read.failed(e);
        } catch (RejectedExecutionException _) {
            read.failed(
                    threads.isShutdown()
                            ? new EngineException.Closed()
                            : new EngineException.Busy("as many reads as may wait are waiting"));
        }
    }

    private void ask(Read read) {
        Lookup lookup;
        try {
            lookup = engine.get(read.key(), read);
        } catch (EngineException e) {
            read.failed(e);
            return;
        } catch (RuntimeException | Error e) { // every read must be answered
            read.failed(new EngineException.Io("the read broke off: " + e, e));
            return;
        }
        read.answered(lookup);
    }

    @Override
    public void submit(Write write, Terms terms) {
        engine.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        return engine.scan(from, to);
    }

    @Override
    public Cursor scan(Range range) {
        return engine.scan(range);
    }

    @Override
    public Cursor export(Range range) {
        return engine.export(range);
    }

    @Override
    public Health health() {
        return engine.health();
    }

    @Override
    public void measure(MetricSink sink) {
        engine.measure(sink);
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return engine.maintenance();
    }

    @Override
    public void observe(ActivitySink sink) {
        engine.observe(sink);
    }

    /// Answers the queued reads, and closes the engine.
    @Override
    public void close() {
        threads.close();
        engine.close();
    }
}
