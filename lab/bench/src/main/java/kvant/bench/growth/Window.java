package kvant.bench.growth;

import java.util.concurrent.Semaphore;
import kvant.engine.CompletionSink;
import kvant.engine.Write;

/// Bounds the writes that are under way. One thread begins them; the engine completes them.
final class Window implements CompletionSink {

    private static final int MOST = 256;

    private final Semaphore room = new Semaphore(MOST);

    void begin() {
        room.acquireUninterruptibly();
    }

    void awaitAll() {
        room.acquireUninterruptibly(MOST);
        room.release(MOST);
    }

    @Override
    public void completed(Write write) {
        if (write.failure() != null) {
            System.err.println("a write failed: " + write.failure().getMessage());
            Runtime.getRuntime().halt(1);
        }
        room.release();
    }

    @Override
    public void wake() {
        // The semaphore has done it.
    }
}
