package kvant.server;

import java.time.Duration;
import kvant.server.http.HttpLimits;
import kvant.server.service.AdmissionOptions;
import kvant.server.service.PoolOptions;
import org.jspecify.annotations.Nullable;

/// How a node is set up.
///
/// @param host name or address to listen on
/// @param port port to listen on; 0 for any that is free
/// @param executor where requests meet the engine
/// @param pool workers of [ExecutorKind#ASYNC], for reads alone where there is a `writePool`; and of
///     [ExecutorKind#ADAPTIVE], for what would block
/// @param writePool workers of [ExecutorKind#ASYNC] for writes alone, or null
/// @param admission which requests are turned away
/// @param eventLoops threads that read and write sockets
/// @param transport how they talk to the kernel
/// @param drainTimeout longest time that [Node#drain] waits for answers
/// @param limits every bound of the HTTP side
/// @param safepoints whether to keep an account of when the JVM had stopped all threads
public record NodeOptions(
        String host,
        int port,
        ExecutorKind executor,
        PoolOptions pool,
        @Nullable PoolOptions writePool,
        AdmissionOptions admission,
        int eventLoops,
        TransportKind transport,
        Duration drainTimeout,
        HttpLimits limits,
        boolean safepoints) {

    /// A queue without a bound of its own; requests in flight are bounded all the same.
    public static final int UNBOUNDED = PoolOptions.UNBOUNDED;

    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 8080;
    public static final ExecutorKind DEFAULT_EXECUTOR = ExecutorKind.ADAPTIVE;
    public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(30);

    private static final int MAX_PORT = 65_535;
    private static final int MAX_THREADS = 1024;

    public NodeOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("the host is not empty");
        }
        within(0, MAX_PORT, port, "the port");
        within(1, MAX_THREADS, eventLoops, "the number of event loops");
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "the drain timeout is 0 s or more, not " + drainTimeout.toSeconds() + " s");
        }
        if (writePool != null && executor != ExecutorKind.ASYNC) {
            throw new IllegalArgumentException("only the async executor has workers for writes");
        }
    }

    public static NodeOptions defaults() {
        return new NodeOptions(
                DEFAULT_HOST,
                DEFAULT_PORT,
                DEFAULT_EXECUTOR,
                DEFAULT_EXECUTOR.defaultPool(),
                null,
                DEFAULT_EXECUTOR.defaultAdmission(),
                Runtime.getRuntime().availableProcessors(),
                TransportKind.AUTO,
                DEFAULT_DRAIN_TIMEOUT,
                HttpLimits.defaults(),
                false);
    }

    public NodeOptions withHost(String value) {
        return new NodeOptions(
                value,
                port,
                executor,
                pool,
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    public NodeOptions withPort(int value) {
        return new NodeOptions(
                host,
                value,
                executor,
                pool,
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    /// This executor with its own default pool and admission.
    public NodeOptions withExecutor(ExecutorKind value) {
        return new NodeOptions(
                host,
                port,
                value,
                value.defaultPool(),
                null,
                value.defaultAdmission(),
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    public NodeOptions withPool(PoolOptions value) {
        return new NodeOptions(
                host,
                port,
                executor,
                value,
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    public NodeOptions withWritePool(@Nullable PoolOptions value) {
        return new NodeOptions(
                host, port, executor, pool, value, admission, eventLoops, transport, drainTimeout, limits, safepoints);
    }

    public NodeOptions withWorkers(int value) {
        return new NodeOptions(
                host,
                port,
                executor,
                pool.withWorkers(value),
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    public NodeOptions withQueue(int value) {
        return new NodeOptions(
                host,
                port,
                executor,
                pool.withQueue(value),
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                limits,
                safepoints);
    }

    public NodeOptions withAdmission(AdmissionOptions value) {
        return new NodeOptions(
                host, port, executor, pool, writePool, value, eventLoops, transport, drainTimeout, limits, safepoints);
    }

    public NodeOptions withEventLoops(int value) {
        return new NodeOptions(
                host, port, executor, pool, writePool, admission, value, transport, drainTimeout, limits, safepoints);
    }

    public NodeOptions withTransport(TransportKind value) {
        return new NodeOptions(
                host, port, executor, pool, writePool, admission, eventLoops, value, drainTimeout, limits, safepoints);
    }

    public NodeOptions withDrainTimeout(Duration value) {
        return new NodeOptions(
                host, port, executor, pool, writePool, admission, eventLoops, transport, value, limits, safepoints);
    }

    public NodeOptions withLimits(HttpLimits value) {
        return new NodeOptions(
                host,
                port,
                executor,
                pool,
                writePool,
                admission,
                eventLoops,
                transport,
                drainTimeout,
                value,
                safepoints);
    }

    public NodeOptions withSafepoints(boolean value) {
        return new NodeOptions(
                host, port, executor, pool, writePool, admission, eventLoops, transport, drainTimeout, limits, value);
    }

    private static void within(int least, int most, int value, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
    }
}
