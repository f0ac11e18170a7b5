package kvant.lab.load;

import java.time.Duration;
import kvant.lab.net.Sockets;

/// The clients that a run plays.
///
/// @param connections over all threads
/// @param threads event loops
/// @param depth requests in flight on one connection at most
/// @param timeout after which a request is given up, and its connection with it
/// @param connectTimeout for all connections to stand at the start
/// @param giveUp how long no connection may stand before the run ends
/// @param spin wait by looking again and again when the next request is due sooner than this
public record Clients(
        int connections,
        int threads,
        int depth,
        Duration timeout,
        Duration connectTimeout,
        Duration giveUp,
        Duration spin,
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
                Sockets.Kind.AUTO);
    }

    public Clients withConnections(int other) {
        return new Clients(other, Math.min(threads, other), depth, timeout, connectTimeout, giveUp, spin, transport);
    }

    public Clients withThreads(int other) {
        return new Clients(connections, other, depth, timeout, connectTimeout, giveUp, spin, transport);
    }

    public Clients withDepth(int other) {
        return new Clients(connections, threads, other, timeout, connectTimeout, giveUp, spin, transport);
    }

    public Clients withTimeout(Duration other) {
        return new Clients(connections, threads, depth, other, connectTimeout, giveUp, spin, transport);
    }

    public Clients withGiveUp(Duration other) {
        return new Clients(connections, threads, depth, timeout, connectTimeout, other, spin, transport);
    }

    public Clients withSpin(Duration other) {
        return new Clients(connections, threads, depth, timeout, connectTimeout, giveUp, other, transport);
    }

    public Clients withTransport(Sockets.Kind other) {
        return new Clients(connections, threads, depth, timeout, connectTimeout, giveUp, spin, other);
    }
}
