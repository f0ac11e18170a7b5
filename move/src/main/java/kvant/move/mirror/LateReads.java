package kvant.move.mirror;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Read;

/// Answers reads later for an engine that answers at once or blocks: what is in memory within the call, the rest from a
/// few threads behind a bounded queue. They start when they are needed and end when they are not.
final class LateReads implements AutoCloseable {

    private static final int MOST_WAITING = 16_384;
    private static final int THREADS_PER_CORE = 4;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    LateReads() {
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

    /// Returns at once; throws nothing.
    void submit(Engine engine, Read read) {
        try {
            Lookup lookup = engine.tryGet(read.key());
            if (lookup != Lookup.Miss.WOULD_BLOCK) {
                read.answered(lookup);
                return;
            }
            threads.execute(() -> ask(engine, read));
        } catch (EngineException e) {
            read.failed(e);
        } catch (RejectedExecutionException _) {
            read.failed(
                    threads.isShutdown()
                            ? new EngineException.Closed()
                            : new EngineException.Busy("as many reads as may wait are waiting"));
        }
    }

    private static void ask(Engine engine, Read read) {
        Lookup lookup;
        try {
            lookup = engine.get(read.key());
        } catch (EngineException e) {
            read.failed(e);
            return;
        } catch (RuntimeException | Error e) { // a read always has an answer
            read.failed(new EngineException.Io("the read broke off: " + e, e));
            return;
        }
        read.answered(lookup);
    }

    /// Answers what waits, and ends.
    @Override
    public void close() {
        threads.close();
    }
}
