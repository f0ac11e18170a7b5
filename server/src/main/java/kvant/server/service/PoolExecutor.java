package kvant.server.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Runs calls on a fixed pool of workers behind one queue.
///
/// The classic remedy: event loops stay free, but every call pays a hand-off and the lock of the queue. A
/// full queue refuses at once.
///
///     submit --offer--> [queue of M] --take--> worker 1..N --> mailbox of the call's loop
///     force  ---------> [overflow] ----poll--/
///
/// A forced call waits in the overflow. A worker serves queue and overflow in turns, so that neither keeps
/// the other waiting, and sleeps only on the queue. A forced call cannot be stranded: after putting it,
/// `force` offers a nudge, and where even that finds no place the queue holds something, which a worker
/// will take and afterwards look again.
///
/// Workers are never interrupted: an interrupt would close the file that an engine is just reading.
final class PoolExecutor implements CallExecutor {

    private static final Logger LOGGER = System.getLogger(PoolExecutor.class.getName());

    /// How long [#close] waits for a worker that does not come back from the engine.
    private static final long CLOSE_WAIT_MILLIS = 1000;

    /// Makes a worker look at the overflow and at [#closed].
    private static final Object NUDGE = new Object();

    // Constant.
    private final UseCases useCases;
    private final List<Thread> workers = new ArrayList<>();

    // Concurrent.
    private final BlockingQueue<Object> queue;
    private final Queue<Call> overflow = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /// @param capacity most calls that wait; [Integer#MAX_VALUE] for no bound but that on calls in flight
    PoolExecutor(UseCases useCases, int threads, int capacity) {
        this.useCases = useCases;
        this.queue = capacity == Integer.MAX_VALUE ? new LinkedBlockingQueue<>() : new ArrayBlockingQueue<>(capacity);
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform().name("kvant-worker-" + i).daemon().start(this::work));
        }
    }

    @Override
    public boolean submit(Call call) {
        if (closed || !queue.offer(call)) {
            return false;
        }
        // Closed meanwhile, and perhaps too late for any worker: then it is still there to be taken back.
        return !closed || !queue.remove(call);
    }

    @Override
    public void force(Call call) {
        if (closed) {
            run(call);
            return;
        }
        overflow.add(call);
        queue.offer(NUDGE);
        if (closed) {
            runOverflow();
        }
    }

    @Override
    public void close() {
        closed = true;
        queue.offer(NUDGE);
        for (Thread worker : workers) {
            try {
                worker.join(CLOSE_WAIT_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            if (worker.isAlive()) {
                LOGGER.log(Level.WARNING, worker.getName() + " is still busy in the engine; not waiting for it");
            }
        }
    }

    private void work() {
        while (true) {
            Object taken = overflow.isEmpty() ? take() : queue.poll();
            if (taken instanceof Call call) {
                run(call);
            }
            Call forced = overflow.poll(); // one: the rounds of many fast ranges have no end
            if (forced != null) {
                run(forced);
            }
            if (closed && queue.isEmpty()) {
                runOverflow();
                queue.offer(NUDGE); // the next worker may be asleep: pass it on
                return;
            }
        }
    }

    private Object take() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException _) {
                // Nobody of ours interrupts a worker; its end is `closed`.
            }
        }
    }

    private void runOverflow() {
        for (Call call = overflow.poll(); call != null; call = overflow.poll()) {
            run(call);
        }
    }

    /// A worker outlives whatever a call does to it.
    private void run(Call call) {
        try {
            if (useCases.run(call, this)) {
                call.mailbox().deliver(call);
            }
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "a worker failed outside of a request", e);
        }
    }
}
