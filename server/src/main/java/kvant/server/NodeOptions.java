package kvant.server;

import java.time.Duration;
import kvant.server.http.HttpLimits;

/// How a node is set up.
///
/// @param host name or address to listen on
/// @param port port to listen on; 0 for any that is free
/// @param executor where requests meet the engine
/// @param workers threads of [ExecutorKind#ASYNC]
/// @param queue requests that may wait for a worker, or [#UNBOUNDED]
/// @param eventLoops threads that read and write sockets
/// @param transport how they talk to the kernel
/// @param drainTimeout longest time that [Node#drain] waits for answers
/// @param limits every bound of the HTTP side
public record NodeOptions(
        String host,
        int port,
        ExecutorKind executor,
        int workers,
        int queue,
        int eventLoops,
        TransportKind transport,
        Duration drainTimeout,
        HttpLimits limits) {

    /// A queue without a bound of its own; requests in flight are bounded all the same.
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 8080;
    public static final int DEFAULT_QUEUE = 1024;
    public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(30);

    private static final int MAX_PORT = 65_535;
    private static final int MAX_THREADS = 1024;

    public NodeOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("the host is not empty");
        }
        within(0, MAX_PORT, port, "the port");
        within(1, MAX_THREADS, workers, "the number of workers");
        within(1, UNBOUNDED, queue, "the length of the queue");
        within(1, MAX_THREADS, eventLoops, "the number of event loops");
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "the drain timeout is 0 s or more, not " + drainTimeout.toSeconds() + " s");
        }
    }

    public static NodeOptions defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new NodeOptions(
                DEFAULT_HOST,
                DEFAULT_PORT,
                ExecutorKind.ASYNC,
                cores,
                DEFAULT_QUEUE,
                cores,
                TransportKind.AUTO,
                DEFAULT_DRAIN_TIMEOUT,
                HttpLimits.defaults());
    }

    public NodeOptions withHost(String newHost) {
        return new NodeOptions(newHost, port, executor, workers, queue, eventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withPort(int newPort) {
        return new NodeOptions(host, newPort, executor, workers, queue, eventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withExecutor(ExecutorKind newExecutor) {
        return new NodeOptions(host, port, newExecutor, workers, queue, eventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withWorkers(int newWorkers) {
        return new NodeOptions(host, port, executor, newWorkers, queue, eventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withQueue(int newQueue) {
        return new NodeOptions(host, port, executor, workers, newQueue, eventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withEventLoops(int newEventLoops) {
        return new NodeOptions(host, port, executor, workers, queue, newEventLoops, transport, drainTimeout, limits);
    }

    public NodeOptions withTransport(TransportKind newTransport) {
        return new NodeOptions(host, port, executor, workers, queue, eventLoops, newTransport, drainTimeout, limits);
    }

    public NodeOptions withDrainTimeout(Duration newDrainTimeout) {
        return new NodeOptions(host, port, executor, workers, queue, eventLoops, transport, newDrainTimeout, limits);
    }

    public NodeOptions withLimits(HttpLimits newLimits) {
        return new NodeOptions(host, port, executor, workers, queue, eventLoops, transport, drainTimeout, newLimits);
    }

    private static void within(int least, int most, int value, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
    }
}
