package kvant.server.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.CompletionSink;
import kvant.engine.Write;
import kvant.server.admit.LoopAdmission;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/// What other threads have finished for one event loop: they put it here and wake the loop once for all of
/// it.
///
///     worker ------- deliver ---\
///     worker ------- deliver ----> queue --[one task on the loop]--> Delivery.arrive, in order
///     commit thread - completed -/
///                     ... wake
///
/// Unbounded as a queue, bounded by what may be in flight on the loop. Any thread may put; only the loop
/// takes. Invariant: whenever the queue holds something that was put before a [#wake], a task is on its
/// way to the loop.
public final class LoopMailbox implements CompletionSink, Runnable {

    private static final int QUEUE_CHUNK = 256;

    /// Deliveries per task, so that a full mailbox does not keep the loop from its sockets.
    private static final int BATCH = 512;

    private static final Logger LOGGER = System.getLogger(LoopMailbox.class.getName());

    // Constant.
    private final Executor loop;
    private final LoopAdmission admission;
    private final UseCases useCases;

    // Owned by the loop.
    private long nowNanos;

    // Atomic.
    private final MpscUnboundedVarHandleArrayQueue<Delivery> queue =
            new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean awake = new AtomicBoolean();

    /// @param loop runs tasks one after the other
    LoopMailbox(Executor loop, LoopAdmission admission, UseCases useCases) {
        this.loop = loop;
        this.admission = admission;
        this.useCases = useCases;
    }

    /// What the loop lets in.
    LoopAdmission admission() {
        return admission;
    }

    /// What carries out the calls of the loop.
    UseCases useCases() {
        return useCases;
    }

    @Override
    public void completed(Write write) {
        EntityWrite done = (EntityWrite) write;
        done.committed();
        queue.offer(done);
    }

    @Override
    public void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            try {
                loop.execute(this);
            } catch (RejectedExecutionException _) {
                // The loop has ended, and every connection with it: nobody waits for these answers.
            }
        }
    }

    void deliver(Delivery delivery) {
        queue.offer(delivery);
        wake();
    }

    /// Called by the loop only.
    @Override
    public void run() {
        awake.set(false); // before the first poll: what is put from now on wakes the loop again
        nowNanos = StageClock.RUNS ? System.nanoTime() : 0;
        for (int i = 0; i < BATCH; i++) {
            Delivery delivery = queue.poll();
            if (delivery == null) {
                nowNanos = 0;
                return;
            }
            try {
                delivery.arrive();
            } catch (Throwable e) { // others wait in the same mailbox
                LOGGER.log(Level.ERROR, "a delivery failed", e);
            }
        }
        nowNanos = 0;
        wake();
    }

    /// Loop only: when the present batch of deliveries began; 0 outside of one.
    long nowNanos() {
        return nowNanos;
    }
}
