package kvant.server.service;

import java.time.Duration;

/// How a pool of workers is set up.
///
/// @param workers threads that are always there
/// @param maxWorkers threads while the queue is full; those beyond `workers` end after `keepAlive` without work
/// @param keepAlive how long such a thread waits for work
/// @param queue requests that may wait while every worker is busy, or [#UNBOUNDED]
/// @param structure what they wait in
/// @param order who is served next
/// @param onFull what becomes of a request that finds no room
public record PoolOptions(
        int workers, int maxWorkers, Duration keepAlive, int queue, Structure structure, Order order, OnFull onFull) {

    /// What waiting requests are kept in.
    public enum Structure {
        /// `java.util.concurrent.ArrayBlockingQueue`: one lock.
        ARRAY,
        /// `java.util.concurrent.LinkedBlockingQueue`, two locks; with an order other than FIFO
        /// `LinkedBlockingDeque`, one lock.
        LINKED,
        /// The array queue of JCTools for many producers and consumers: no lock; workers sleep on a semaphore.
        MPMC
    }

    /// Who is served next.
    public enum Order {
        FIFO,
        LIFO,
        /// FIFO, and LIFO while there is a standing queue.
        ADAPTIVE
    }

    /// What becomes of a request that finds no room.
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
        if (structure == Structure.MPMC && queue == UNBOUNDED) {
            throw new IllegalArgumentException("the mpmc queue needs a bound");
        }
        if (structure != Structure.LINKED && order != Order.FIFO) {
            throw new IllegalArgumentException("only the linked queue has an order other than fifo");
        }
        if (queue == UNBOUNDED && maxWorkers > workers) {
            throw new IllegalArgumentException(
                    "a queue that is never full never calls for more than " + workers + " workers");
        }
    }

    /// The pool as it is usually published: as many workers as cores before one array.
    public static PoolOptions classic(int cores) {
        return new PoolOptions(
                cores, cores, DEFAULT_KEEP_ALIVE, DEFAULT_QUEUE, Structure.ARRAY, Order.FIFO, OnFull.REJECT);
    }

    /// A pool for what would block: more workers than cores, and the newest first under stress.
    public static PoolOptions blocking(int cores) {
        int threads = Math.clamp((long) cores * BLOCKING_WORKERS_PER_CORE, LEAST_BLOCKING_WORKERS, MAX_WORKERS);
        return new PoolOptions(
                threads, threads, DEFAULT_KEEP_ALIVE, DEFAULT_QUEUE, Structure.LINKED, Order.ADAPTIVE, OnFull.REJECT);
    }

    /// The same for ranges, which keep a core busy: a worker per core at most, and never the event loop.
    PoolOptions forRanges(int cores) {
        return withWorkers(Math.min(workers, Math.max(LEAST_RANGE_WORKERS, cores)))
                .withOnFull(OnFull.REJECT);
    }

    /// Ranges that take turns with the workers for them while others wait: one in the hands of each, and one on its way
    /// from or to its event loop. Were it more, batches would wait for a loop that the workers keep from its core.
    int rangesUnderWay(int cores) {
        return RANGES_PER_WORKER * forRanges(cores).workers();
    }

    /// As many workers, no more and no less.
    public PoolOptions withWorkers(int count) {
        return new PoolOptions(count, count, keepAlive, queue, structure, order, onFull);
    }

    public PoolOptions withMaxWorkers(int count) {
        return new PoolOptions(workers, count, keepAlive, queue, structure, order, onFull);
    }

    public PoolOptions withKeepAlive(Duration time) {
        return new PoolOptions(workers, maxWorkers, time, queue, structure, order, onFull);
    }

    public PoolOptions withQueue(int length) {
        // An array has the length that it may ever need, so that a queue without a bound is linked.
        Structure fitting = length == UNBOUNDED && structure == Structure.ARRAY ? Structure.LINKED : structure;
        return new PoolOptions(workers, maxWorkers, keepAlive, length, fitting, order, onFull);
    }

    public PoolOptions withStructure(Structure kind) {
        return new PoolOptions(workers, maxWorkers, keepAlive, queue, kind, order, onFull);
    }

    public PoolOptions withOrder(Order newOrder) {
        return new PoolOptions(workers, maxWorkers, keepAlive, queue, structure, newOrder, onFull);
    }

    public PoolOptions withOnFull(OnFull action) {
        return new PoolOptions(workers, maxWorkers, keepAlive, queue, structure, order, action);
    }

    private static void within(int least, int most, int value, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
    }
}
