package kvant.server.execute;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.MetricSink;

/// An executor that runs each call on a virtual thread of its own.
///
/// The platform's present offer: no queue of ours and no pool to size; the bound on calls in flight bounds the
/// threads. A read that waits for a page of a mapped file keeps its carrier thread, so that as many such reads as
/// cores stop all of them.
public final class VirtualExecutor implements CallExecutor {

    private static final Logger LOGGER = System.getLogger(VirtualExecutor.class.getName());
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    /// In `running`: no call is taken any more.
    private static final int CLOSED = Integer.MIN_VALUE;

    // Constant.
    private final CountDownLatch idle = new CountDownLatch(1);
    private final Thread.Builder threads = Thread.ofVirtual().name("kvant-request");

    // Atomic.
    private final AtomicInteger running = new AtomicInteger();

    @Override
    public boolean submit(RunnableCall call) {
        if (running.incrementAndGet() < 0) {
            ended();
            return false;
        }
        call.threadFree(true); // its own
        threads.start(() -> {
            start(call);
            ended();
        });
        return true;
    }

    @Override
    public void force(RunnableCall call) {
        if (running.incrementAndGet() < 0) {
            carryOut(call);
            ended();
            return;
        }
        threads.start(() -> {
            carryOut(call);
            ended();
        });
    }

    @Override
    public void measure(MetricSink sink) {
        sink.gauge("kvant_virtual_threads", "Requests on virtual threads.", Math.max(0, running.get()));
    }

    @Override
    public boolean close() {
        if (running.getAndAdd(CLOSED) == 0) {
            idle.countDown();
            return true;
        }
        try {
            if (!idle.await(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOGGER.log(Level.WARNING, "requests are still busy in the engine; not waiting for them");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return isIdle();
    }

    /// Whether a close found that no call runs any more.
    boolean isIdle() {
        return idle.getCount() == 0;
    }

    private void start(RunnableCall call) {
        long nowNanos = System.nanoTime();
        call.startedAt(nowNanos);
        if (call.isUnwanted()) {
            call.refuse(RunnableCall.Refusal.OVERLOADED); // no client will see it
        } else if (call.isOverdue(nowNanos)) {
            call.refuse(RunnableCall.Refusal.DEADLINE_PASSED);
        } else {
            carryOut(call);
        }
    }

    /// Also of a call that came too late: for a moment it counted, and may have been the last.
    private void ended() {
        if (running.decrementAndGet() == CLOSED) {
            idle.countDown();
        }
    }
}
