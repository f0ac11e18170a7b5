package kvant.server.execute;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Drafts;

/// The settings of a pool of workers.
///
///     PoolOptions.classic(cores).with(p -> p.order = Order.LIFO)
///
/// @param workers threads that always exist
/// @param maxWorkers threads while the queue is full; those beyond `workers` end after `keepAlive` without work
/// @param keepAlive longest idle time of such a thread
/// @param queue requests that may wait while every worker is busy, or [#UNBOUNDED]
/// @param order of service
/// @param onFull handling of a request when the queue is full
public record PoolOptions(int workers, int maxWorkers, Duration keepAlive, int queue, Order order, OnFull onFull) {

    /// The order of service; `experiments/pool-order.yaml` compares the three.
    public enum Order {
        /// As published pools do.
        FIFO,
        /// The newest first: reported to improve the p90 and p99 of puts and to worsen their p99.9.
        LIFO,
        /// FIFO, and LIFO while there is a standing queue: the default of the adaptive executor.
        ADAPTIVE
    }

    /// The handling of a request when the queue is full.
    public enum OnFull {
        /// 503, at once.
        REJECT,
        /// It runs on the event loop that read it, which slows that loop's clients down.
        CALLER
    }

    /// A queue without a bound of its own; requests in flight are bounded all the same.
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    public static final int DEFAULT_QUEUE = 1024;
    public static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(60);
    public static final int MAX_WORKERS = 1024;

    /// Reads that block wait for a disk, not for a core.
    private static final int BLOCKING_WORKERS_PER_CORE = 4;

    private static final int LEAST_BLOCKING_WORKERS = 8;

    private static final int LEAST_RANGE_WORKERS = 2;

    private static final int RANGES_PER_WORKER = 2;

    public PoolOptions {
        within(1, MAX_WORKERS, workers, "the number of workers");
        within(1, MAX_WORKERS, maxWorkers, "the largest number of workers");
        within(1, UNBOUNDED, queue, "the length of the queue");
        if (maxWorkers < workers) {
            throw new IllegalArgumentException(
                    "the largest number of workers, " + maxWorkers + ", is less than their number, " + workers);
        }
        if (keepAlive.isNegative()) {
            throw new IllegalArgumentException("workers are kept alive for 0 s or longer");
        }
        if (queue == UNBOUNDED && maxWorkers > workers) {
            throw new IllegalArgumentException(
                    "a queue that is never full never calls for more than " + workers + " workers");
        }
    }

    /// The pool as it is usually published: as many workers as cores, first come, first served.
    public static PoolOptions classic(int cores) {
        return Drafts.made(PoolOptions.class, new Draft(cores));
    }

    /// A pool for what would block: more workers than cores, and the newest first under stress.
    public static PoolOptions blocking(int cores) {
        int threads = Math.clamp((long) cores * BLOCKING_WORKERS_PER_CORE, LEAST_BLOCKING_WORKERS, MAX_WORKERS);
        return classic(threads).with(p -> p.order = Order.ADAPTIVE);
    }

    /// The same for ranges, which keep a core busy: a worker per core at most, and never the event loop.
    public PoolOptions forRanges(int cores) {
        return withWorkers(Math.min(workers, Math.max(LEAST_RANGE_WORKERS, cores)))
                .with(p -> p.onFull = OnFull.REJECT);
    }

    /// The number of ranges under way at a time, while others wait: one on each worker, and one on its way from or to
    /// its event loop. With more, batches would wait for a loop that the workers keep from its core.
    public int rangesUnderWay(int cores) {
        return RANGES_PER_WORKER * forRanges(cores).workers();
    }

    /// These options with some changed.
    public PoolOptions with(Consumer<Draft> change) {
        return Drafts.changed(PoolOptions.class, this, new Draft(workers), change);
    }

    /// A fixed number of workers.
    public PoolOptions withWorkers(int count) {
        return with(p -> {
            p.workers = count;
            p.maxWorkers = count;
        });
    }

    public PoolOptions withQueue(int length) {
        return with(p -> p.queue = length);
    }

    private static void within(int least, int most, int value, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
    }

    /// Options in the making.
    public static final class Draft {

        public int workers;
        public int maxWorkers;
        public Duration keepAlive = DEFAULT_KEEP_ALIVE;
        public int queue = DEFAULT_QUEUE;
        public Order order = Order.FIFO;
        public OnFull onFull = OnFull.REJECT;

        private Draft(int workers) {
            this.workers = workers;
            this.maxWorkers = workers;
        }
    }
}
