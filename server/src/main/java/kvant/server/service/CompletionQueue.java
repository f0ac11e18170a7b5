package kvant.server.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.CompletionSink;
import kvant.engine.Write;
import kvant.server.admit.LoopAdmission;
import kvant.server.service.KeyOperations.EntityWrite;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/// A mailbox of one event loop for work finished by other threads: they put it here, and wake the loop once for all
/// of it.
///
///     worker ------- deliver ---\
///     worker ------- deliver ----> queue --[one task on the loop]--> Delivery.arrive, in order --> turns
///     commit thread - completed -/
///                     ... wake
///
/// After all present deliveries have arrived, the same task gives connections the turns that they asked for, so that
/// several answers leave in one write.
///
/// Unbounded as a queue, bounded by the calls that may be in flight on the loop. Any thread may put; only the loop
/// takes. Invariant: while the queue holds a delivery that was put before a [#wake], or a connection waits for a
/// turn, a task is on its way to the loop, or runs there.
public final class CompletionQueue implements CompletionSink, Runnable {

    /// An item in the queue.
    public interface Delivery {

        /// Called on the event loop.
        void arrive();
    }

    /// A connection that waits for turns; it asks for no second one while it waits.
    public interface Member {

        /// Takes its turn. Throws nothing: other connections wait for their turns.
        void turn();
    }

    private static final int QUEUE_CHUNK = 256;

    /// Deliveries per task, so that a full mailbox does not keep the loop from its sockets.
    private static final int BATCH = 512;

    private static final Logger LOGGER = System.getLogger(CompletionQueue.class.getName());

    // Constant.
    private final Executor loop;
    final LoopAdmission admission;
    final RequestHandler handler; // of all calls of the loop

    // Owned by the loop.
    private final Turns turns = new Turns();
    private boolean running;
    long nowNanos; // when the present batch of deliveries began; 0 outside of one

    // Atomic.
    private final MpscUnboundedVarHandleArrayQueue<Delivery> queue =
            new MpscUnboundedVarHandleArrayQueue<>(QUEUE_CHUNK);
    private final AtomicBoolean awake = new AtomicBoolean();

    /// @param loop runs tasks one after the other
    CompletionQueue(Executor loop, LoopAdmission admission, RequestHandler handler) {
        this.loop = loop;
        this.admission = admission;
        this.handler = handler;
    }

    @Override
    public void completed(Write write) {
        EntityWrite done = (EntityWrite) write;
        done.call.doneNow();
        queue.offer(done);
    }

    @Override
    public void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            try {
                loop.execute(this);
            } catch (RejectedExecutionException _) {
                // The loop has ended, and every connection with it: no client waits for these answers.
            }
        }
    }

    /// From any thread.
    public void deliver(Delivery delivery) {
        queue.offer(delivery);
        wake();
    }

    /// Loop only: has it given a turn once everything that is ready has been handed out.
    public void soon(Member member) {
        turns.add(member);
        if (!running) {
            wake();
        }
    }

    /// Called by the loop only.
    @Override
    public void run() {
        running = true;
        awake.set(false); // before the first poll: later puts wake the loop again
        boolean more = handOut();
        turns.give();
        running = false;
        if (more || !turns.isEmpty()) {
            wake();
        }
    }

    /// @return whether more of it may be left
    private boolean handOut() {
        nowNanos = System.nanoTime();
        Delivery delivery = queue.poll();
        int count = 0;
        while (delivery != null) {
            try {
                delivery.arrive();
            } catch (Throwable e) { // other deliveries wait in the same mailbox
                LOGGER.log(Level.ERROR, "a delivery failed", e);
            }
            delivery = ++count < BATCH ? queue.poll() : null;
        }
        nowNanos = 0;
        return count == BATCH;
    }

    /// Connections that wait for turns. Belongs to one loop. Two lists, so that one that asks during its turn gets
    /// another one later.
    public static final class Turns {

        private List<Member> waiting = new ArrayList<>();
        private List<Member> waitingBefore = new ArrayList<>();

        public boolean isEmpty() {
            return waiting.isEmpty();
        }

        public void add(Member member) {
            waiting.add(member);
        }

        public void give() {
            List<Member> due = waiting;
            waiting = waitingBefore;
            waitingBefore = due;
            for (int i = 0; i < due.size(); i++) {
                due.get(i).turn();
            }
            due.clear();
        }
    }
}
