package kvant.cli;

import java.time.Duration;
import kvant.server.ExecutorKind;
import kvant.server.NodeOptions;
import kvant.server.service.PoolOptions;
import kvant.server.service.PoolOptions.OnFull;
import kvant.server.service.PoolOptions.Order;
import kvant.server.service.PoolOptions.Structure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `kvant serve` that set up the workers of an executor. One that is not given is null, and what
/// it then means is decided by the executor.
final class PoolFlags {

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker threads (default: one per core; adaptive: four per core, at least 8).")
    private @Nullable Integer workers;

    @Option(
            names = "--queue",
            paramLabel = "N",
            description = "Requests that may wait for a worker before 503: a number, or unbounded (default: 1024).")
    private @Nullable QueueBound queue;

    @Option(
            names = "--pool.max-workers",
            paramLabel = "N",
            description = "Worker threads while the queue is full (default: as --workers).")
    private @Nullable Integer maxWorkers;

    @Option(
            names = "--pool.keep-alive",
            paramLabel = "SECONDS",
            description = "How long a worker beyond --workers waits for work (default: 60).")
    private @Nullable Integer keepAliveSeconds;

    @Option(
            names = "--pool.queue",
            paramLabel = "Q",
            description = "What requests wait in: array, linked or mpmc (default: array; adaptive: linked).")
    private @Nullable Structure structure;

    @Option(
            names = "--pool.order",
            paramLabel = "O",
            description = "Who is served next: fifo, lifo, or adaptive (fifo; lifo while a queue stands)."
                    + " lifo and adaptive need"
                    + " --pool.queue linked (default: fifo; executor adaptive: adaptive).")
    private @Nullable Order order;

    @Option(
            names = "--pool.on-full",
            paramLabel = "F",
            description =
                    "What becomes of a request without room: reject (503; the default) or caller (it runs on the event"
                            + " loop).")
    private @Nullable OnFull onFull;

    @Option(
            names = "--pool.write-workers",
            paramLabel = "N",
            description = "Workers of their own for writes; --workers are for reads then (executor async only).")
    private @Nullable Integer writeWorkers;

    @Option(
            names = "--pool.write-queue",
            paramLabel = "N",
            description = "Writes that may wait for --pool.write-workers (default: as --queue).")
    private @Nullable QueueBound writeQueue;

    /// @return what is wrong with these options together with this executor, or null
    @Nullable
    String obstacle(ExecutorKind executor) {
        boolean hasPool = executor == ExecutorKind.ASYNC || executor == ExecutorKind.ADAPTIVE;
        String first = first();
        if (first != null && !hasPool) {
            return "'" + first + "' needs '--executor async' or '--executor adaptive'";
        }
        if ((writeWorkers != null || writeQueue != null) && executor != ExecutorKind.ASYNC) {
            return "'--pool.write-workers' and '--pool.write-queue' need '--executor async'";
        }
        if (writeQueue != null && writeWorkers == null) {
            return "'--pool.write-queue' needs '--pool.write-workers'";
        }
        if (keepAliveSeconds != null && maxWorkers == null) {
            return "'--pool.keep-alive' needs '--pool.max-workers': other workers are always kept";
        }
        if (order != null && order != Order.FIFO && structure != null && structure != Structure.LINKED) {
            return "'--pool.order lifo' and 'adaptive' need '--pool.queue linked'";
        }
        return null;
    }

    /// @throws IllegalArgumentException saying in one line what is wrong
    NodeOptions applyTo(NodeOptions options) {
        PoolOptions pool = poolOf(options.pool());
        NodeOptions changed = options.withPool(pool);
        if (writeWorkers == null) {
            return changed;
        }
        PoolOptions writes = pool.withWorkers(writeWorkers);
        return changed.withWritePool(writeQueue == null ? writes : writes.withQueue(writeQueue.requests()));
    }

    private PoolOptions poolOf(PoolOptions base) {
        int count = workers == null ? base.workers() : workers;
        int length = queue == null ? base.queue() : queue.requests();
        return new PoolOptions(
                count,
                maxWorkers == null ? count : maxWorkers,
                keepAliveSeconds == null ? base.keepAlive() : Duration.ofSeconds(keepAliveSeconds),
                length,
                structureOf(base, length),
                orderOf(base),
                onFull == null ? base.onFull() : onFull);
    }

    /// What follows from the other options where this one is not given.
    private Structure structureOf(PoolOptions base, int length) {
        if (structure != null) {
            return structure;
        }
        boolean linked = length == NodeOptions.UNBOUNDED || order != null && order != Order.FIFO;
        return linked ? Structure.LINKED : base.structure();
    }

    private Order orderOf(PoolOptions base) {
        if (order != null) {
            return order;
        }
        return structure == null || structure == Structure.LINKED ? base.order() : Order.FIFO;
    }

    private @Nullable String first() {
        Object[] given = {
            workers, queue, maxWorkers, keepAliveSeconds, structure, order, onFull, writeWorkers, writeQueue
        };
        String[] names = {
            "--workers",
            "--queue",
            "--pool.max-workers",
            "--pool.keep-alive",
            "--pool.queue",
            "--pool.order",
            "--pool.on-full",
            "--pool.write-workers",
            "--pool.write-queue"
        };
        for (int i = 0; i < given.length; i++) {
            if (given[i] != null) {
                return names[i];
            }
        }
        return null;
    }
}
