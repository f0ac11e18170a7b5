package kvant.load.plan;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.load.net.Sockets;

/// The clients simulated by a run.
///
/// @param connections over all threads
/// @param threads event loops
/// @param depth maximum requests in flight on one connection
/// @param timeout after which a request fails and its connection is closed
/// @param connectTimeout for establishing all connections at the start
/// @param giveUp maximum time without any connection before the run ends
/// @param spin busy-wait when the next request is due sooner than this
/// @param realtime whether the threads of an open loop have realtime priority ([kvant.load.net.Realtime])
public record Clients(
        int connections,
        int threads,
        int depth,
        Duration timeout,
        Duration connectTimeout,
        Duration giveUp,
        Duration spin,
        boolean realtime,
        Sockets.Kind transport) {

    public static final int MOST_CONNECTIONS = 60_000;
    public static final int MOST_THREADS = 256;
    public static final int MOST_DEPTH = 1024;

    public Clients {
        check(connections >= 1 && connections <= MOST_CONNECTIONS, "connections", "1 to " + MOST_CONNECTIONS);
        check(threads >= 1 && threads <= MOST_THREADS, "threads", "1 to " + MOST_THREADS);
        check(threads <= connections, "threads", "at most as many as connections, " + connections);
        check(depth >= 1 && depth <= MOST_DEPTH, "depth", "1 to " + MOST_DEPTH);
        check(timeout.isPositive() && timeout.compareTo(Pace.LONGEST) <= 0, "timeout", "above 0 and at most 24h");
        check(!spin.isNegative() && spin.compareTo(Pace.LONGEST) <= 0, "spin", "from 0s to 24h");
        check(!realtime || spin.isZero(), "spin", "0s in real time: it would keep a processor busy");
        check(!realtime || transport != Sockets.Kind.NIO, "transport", "auto or epoll in real time");
    }

    private static void check(boolean right, String what, String range) {
        if (!right) {
            throw new IllegalArgumentException(what + " must be " + range);
        }
    }

    public static Clients defaults() {
        return new Clients(
                64,
                1,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ZERO,
                false,
                Sockets.Kind.AUTO);
    }

    /// With this number of connections, and at most as many threads.
    public Clients withConnections(int other) {
        return with(clients -> {
            clients.connections = other;
            clients.threads = Math.min(threads, other);
        });
    }

    /// These clients with some of it changed: `clients.with(c -> c.depth = 4)`.
    public Clients with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /// A builder for clients.
    public static final class Draft {

        public int connections;
        public int threads;
        public int depth;
        public Duration timeout;
        public Duration connectTimeout;
        public Duration giveUp;
        public Duration spin;
        public boolean realtime;
        public Sockets.Kind transport;

        private Draft(Clients clients) {
            connections = clients.connections;
            threads = clients.threads;
            depth = clients.depth;
            timeout = clients.timeout;
            connectTimeout = clients.connectTimeout;
            giveUp = clients.giveUp;
            spin = clients.spin;
            realtime = clients.realtime;
            transport = clients.transport;
        }

        private Clients made() {
            return new Clients(connections, threads, depth, timeout, connectTimeout, giveUp, spin, realtime, transport);
        }
    }
}
