package kvant.cli.serve;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import kvant.server.ExecutorKind;
import kvant.server.NodeOptions;
import kvant.server.execute.PoolOptions;
import kvant.server.execute.PoolOptions.OnFull;
import kvant.server.execute.PoolOptions.Order;
import kvant.text.command.OptionGroups;
import kvant.text.command.OptionGroups.Heading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The options of `kvant serve` for the workers of an executor. An option that is not given is null, and the executor's
/// default applies.
@Heading("Threads")
final class PoolFlags {

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker threads (default: one per core; adaptive: four per core, at least 8).")
    private @Nullable Integer workers;

    @Option(
            names = "--queue",
            converter = QueueBound.class,
            paramLabel = "N",
            description = "Requests that may wait for a worker before 503: a number, or unbounded (default: 1024).")
    private @Nullable Integer queue;

    @Option(
            names = "--pool.max-workers",
            paramLabel = "N",
            description = "Worker threads while the queue is full (default: as --workers).")
    private @Nullable Integer maxWorkers;

    @Option(
            names = "--pool.keep-alive",
            paramLabel = "SECONDS",
            description = "Idle time after which a worker beyond --workers ends (default: 60).")
    private @Nullable Integer keepAliveSeconds;

    @Option(
            names = "--pool.order",
            paramLabel = "O",
            description = "Order of the queue: fifo, lifo, or adaptive, which is fifo, and lifo while a queue stands"
                    + " (default: fifo; executor adaptive: adaptive).")
    private @Nullable Order order;

    @Option(
            names = "--pool.on-full",
            paramLabel = "F",
            description = "When the queue is full: reject (503), or caller (run on the event loop) (default: reject).")
    private @Nullable OnFull onFull;

    @Option(
            names = "--pool.write-workers",
            paramLabel = "N",
            description = "Separate workers for writes; --workers then serve reads (executor async only).")
    private @Nullable Integer writeWorkers;

    @Option(
            names = "--pool.write-queue",
            converter = QueueBound.class,
            paramLabel = "N",
            description = "Writes that may wait for --pool.write-workers (default: as --queue).")
    private @Nullable Integer writeQueue;

    /// @return the reason why these options do not fit the executor, or null
    @Nullable
    String obstacle(ExecutorKind executor, CommandSpec serve) {
        boolean hasPool = executor == ExecutorKind.ASYNC || executor == ExecutorKind.ADAPTIVE;
        String first = OptionGroups.given(serve, "--workers", "--queue", "--pool.");
        if (!first.isEmpty() && !hasPool) {
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
        return null;
    }

    /// @throws IllegalArgumentException with a one-line reason
    NodeOptions applyTo(NodeOptions options) {
        PoolOptions pool = poolOf(options.pool());
        NodeOptions changed = options.with(o -> o.pool = pool);
        if (writeWorkers == null) {
            return changed;
        }
        PoolOptions writes = pool.withWorkers(writeWorkers);
        return changed.with(o -> o.writePool = writeQueue == null ? writes : writes.withQueue(writeQueue));
    }

    /// The defaults that depend on cores, executor or other options, by key.
    static Map<String, String> computedDefaults(NodeOptions node) {
        PoolOptions pool = node.pool();
        boolean used = node.executor() == ExecutorKind.ASYNC || node.executor() == ExecutorKind.ADAPTIVE;
        return Map.of(
                "workers", used ? String.valueOf(pool.workers()) : "",
                "pool.max-workers", used ? String.valueOf(pool.maxWorkers()) : "",
                "pool.order", used ? pool.order().name().toLowerCase(Locale.ROOT) : "",
                "pool.write-queue", node.writePool() == null ? "" : String.valueOf(pool.queue()));
    }

    private PoolOptions poolOf(PoolOptions base) {
        return base.with(p -> {
            p.workers = workers == null ? p.workers : workers;
            p.maxWorkers = maxWorkers == null ? p.workers : maxWorkers;
            p.keepAlive = keepAliveSeconds == null ? p.keepAlive : Duration.ofSeconds(keepAliveSeconds);
            p.queue = queue == null ? p.queue : queue;
            p.order = order == null ? p.order : order;
            p.onFull = onFull == null ? p.onFull : onFull;
        });
    }

    /// Reads the number of requests that may wait for a worker, or [NodeOptions#UNBOUNDED].
    static final class QueueBound implements ITypeConverter<Integer> {

        @Override
        public Integer convert(String text) {
            if (text.equalsIgnoreCase("unbounded")) {
                return NodeOptions.UNBOUNDED;
            }
            try {
                int requests = Integer.parseInt(text);
                if (requests >= 1) {
                    return requests;
                }
            } catch (NumberFormatException _) {
                // Falls through: text that is not a number is as invalid as a number below 1.
            }
            throw new TypeConversionException("'" + text + "' is neither a number from 1 nor 'unbounded'");
        }
    }
}
