package kvant.bench.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A thread that repeats an action, with a pause after each time, until it is closed.
public final class Repeated implements AutoCloseable {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    private Repeated(String name, long pauseMillis, Runnable work) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> run(pauseMillis, work));
    }

    public static Repeated start(String name, long pauseMillis, Runnable work) {
        Repeated repeated = new Repeated(name, pauseMillis, work);
        repeated.thread.start();
        return repeated;
    }

    private void run(long pauseMillis, Runnable work) {
        try {
            do {
                work.run();
            } while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns when the action no longer runs. Idempotent.
    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
