package kvant.server.execute;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The threads of a pool: permanent ones, and additional ones that are started while the queue is full and end after
/// a time without work.
///
/// Any thread may call. Invariant: the count is never below the number of permanent workers once they were started,
/// nor above the largest number.
final class PoolThreads {

    private static final Logger LOGGER = System.getLogger(PoolThreads.class.getName());

    /// The longest wait of [#join] for the workers, all of them together, to return from the engine.
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    // Constant.
    private final String name;
    private final PoolOptions options;
    private final Runnable work;
    private final CountDownLatch begun;

    // Concurrent.
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger names = new AtomicInteger();

    /// @param name of the threads
    /// @param work loop that each of them runs until it ends
    PoolThreads(String name, PoolOptions options, Runnable work) {
        this.name = name;
        this.options = options;
        this.begun = new CountDownLatch(options.workers());
        this.work = () -> {
            begun.countDown();
            work.run();
        };
    }

    /// Starts the permanent workers, and waits until they run, so that the first calls do not wait for them.
    void start() {
        while (count.get() < options.workers()) {
            grow(count.get());
        }
        try {
            begun.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    int count() {
        return count.get();
    }

    /// Starts one more, unless there are no longer as many as the caller saw.
    void grow(int seen) {
        if (count.compareAndSet(seen, seen + 1)) {
            Thread worker = Thread.ofPlatform()
                    .name(name + "-" + names.getAndIncrement())
                    .daemon()
                    .unstarted(work);
            workers.add(worker);
            worker.start();
        }
    }

    /// The longest idle time of a worker.
    long keepAliveNanos() {
        return count.get() > options.workers() ? options.keepAlive().toNanos() : Long.MAX_VALUE;
    }

    /// For a worker that waited for its whole keep-alive time: whether it is surplus; then it is counted out and must
    /// end. The caller then checks whether a call was admitted that relied on it: admission counts first and checks
    /// the workers afterwards, so that one of the two sees the other.
    boolean endsSurplus() {
        int now = count.get();
        if (now > options.workers() && count.compareAndSet(now, now - 1)) {
            workers.remove(Thread.currentThread());
            return true;
        }
        return false;
    }

    /// Waits until all have ended, within a bound.
    ///
    /// @return whether all have
    boolean join() {
        boolean all = true;
        long end = System.nanoTime() + CLOSE_WAIT.toNanos();
        for (Thread worker : workers) {
            try {
                worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (worker.isAlive()) {
                LOGGER.log(Level.WARNING, worker.getName() + " is still busy in the engine; not waiting for it");
                all = false;
            }
        }
        return all;
    }

    /// Lowers the priority of a thread, for machines with fewer cores than busy threads. Java's own priorities have
    /// no effect on Linux unless the whole JVM is started with them.
    ///
    /// On Linux `nice(2)` is for a thread, and for those that it starts, and lowering one's priority needs no
    /// privilege. Elsewhere nothing happens: it would be the whole process.
    @SuppressWarnings("restricted")
    static final class Niceness {

        private static final Logger LOGGER = System.getLogger(Niceness.class.getName());

        /// A third of the share of an ordinary thread, where both want the same core (`sched_prio_to_weight` in Linux).
        static final int BEHIND_EVENT_LOOPS = 5;

        /// Null where there is no such call, or no native access for us.
        private static final @Nullable MethodHandle NICE = find();

        private Niceness() {}

        /// Increases the calling thread's niceness by this much; a hint, so that a failure is no error.
        static void raise(int by) {
            if (NICE != null) {
                try {
                    int _ = (int) NICE.invokeExact(by);
                } catch (Throwable e) {
                    LOGGER.log(Level.DEBUG, "this thread was not made nicer", e);
                }
            }
        }

        private static @Nullable MethodHandle find() {
            if (!"Linux".equals(System.getProperty("os.name"))) {
                return null;
            }
            try {
                Linker linker = Linker.nativeLinker();
                return linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("nice"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            } catch (RuntimeException | LinkageError e) {
                LOGGER.log(Level.DEBUG, "threads cannot be made nicer here", e);
                return null;
            }
        }
    }
}
