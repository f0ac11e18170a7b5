package kvant.load.plan;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.load.net.Sockets;
import kvant.text.Check;
import kvant.text.Drafts;

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
        Check.that(connections >= 1 && connections <= MOST_CONNECTIONS, "connections must be 1 to " + MOST_CONNECTIONS);
        Check.that(threads >= 1 && threads <= MOST_THREADS, "threads must be 1 to " + MOST_THREADS);
        Check.that(threads <= connections, "threads must be at most as many as connections, " + connections);
        Check.that(depth >= 1 && depth <= MOST_DEPTH, "depth must be 1 to " + MOST_DEPTH);
        Check.that(
                timeout.isPositive() && timeout.compareTo(Pace.LONGEST) <= 0,
                "timeout must be above 0 and at most 24h");
        Check.that(!spin.isNegative() && spin.compareTo(Pace.LONGEST) <= 0, "spin must be from 0s to 24h");
        Check.that(!realtime || spin.isZero(), "spin must be 0s in real time: it would keep a processor busy");
        Check.that(!realtime || transport != Sockets.Kind.NIO, "transport must be auto or epoll in real time");
    }

    public static Clients defaults() {
        return Drafts.made(Clients.class, new Draft());
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
        return Drafts.changed(Clients.class, this, new Draft(), change);
    }

    /// A builder for clients.
    public static final class Draft {

        public int connections = 64;
        public int threads = 1;
        public int depth = 1;
        public Duration timeout = Duration.ofSeconds(10);
        public Duration connectTimeout = Duration.ofSeconds(10);
        public Duration giveUp = Duration.ofSeconds(10);
        public Duration spin = Duration.ZERO;
        public boolean realtime;
        public Sockets.Kind transport = Sockets.Kind.AUTO;

        private Draft() {}
    }
}
