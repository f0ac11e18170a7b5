package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import kvant.server.http.tls.TlsFront;
import org.jspecify.annotations.Nullable;

/// The open connections of one event loop. It checks their deadlines, closes the longest waiting ones to free their
/// places for others, and ends all of them when the node drains or stops.
///
/// Owned by that loop; any thread may ask for its figures.
final class OpenConnections {

    /// Most connections closed for others between two ticks: finding them takes a pass over all connections.
    private static final int MOST_CLOSED = 512;

    /// A connection that has waited for its client for less than a whole tick is not closed for others: a new client,
    /// or one that sends a request now and then, keeps its connection.
    private static final long LEAST_TICKS = 2;

    // Constant.
    final EventExecutor executor;
    final LoopContext loop;
    private final FailureLog failures;
    private final @Nullable TlsFront tls;

    // Owned by the loop.
    private final Set<Connection> connections = new HashSet<>();
    private final ArrayDeque<Waiting> oldest = new ArrayDeque<>();
    private long lookedTicks = -1;

    // Written by the loop alone.
    volatile long closedForOthers; // connections closed to free their places for new ones
    volatile long longestWaitTicks; // for a client, as far as known without a pass over all; 0 where none waits

    /// A connection that waited for its client at the last check.
    private record Waiting(Connection connection, long ticks) {}

    /// @param tls null where connections are not secured
    OpenConnections(EventExecutor executor, LoopContext loop, FailureLog failures, @Nullable TlsFront tls) {
        this.tls = tls;
        this.executor = executor;
        this.loop = loop;
        this.failures = failures;
        Class<?> _ = TlsFront.load();
        long tickNanos = loop.clock.tickNanos;
        executor.scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    /// Makes a connection of a channel that was accepted.
    ///
    /// @param resp where its client speaks RESP, else null
    void open(Channel channel, @Nullable RespDialect resp) {
        if (tls != null && !tls.secure(channel)) {
            channel.close();
            return;
        }
        Connection connection = new Connection(channel, loop, failures, resp);
        connections.add(connection);
        loop.connections = connections.size();
        channel.closeFuture().addListener(_ -> closed(connection));
        channel.pipeline().addLast(connection);
        if (loop.draining) {
            drainSoon(connection);
        }
    }

    /// Starts the drain: each connection closes with its next answer, or soon where no answer is due.
    void drain() {
        loop.draining = true;
        for (Connection connection : connections) {
            drainSoon(connection);
        }
    }

    /// Closes the remaining connections, answered or not.
    void abort() {
        for (Connection connection : List.copyOf(connections)) {
            connection.abort();
        }
    }

    /// Closes the one that has waited for its client for the longest.
    ///
    /// @return false when none waits
    boolean closeOldest() {
        if (oldest.isEmpty() && lookedTicks != loop.clock.ticks) {
            lookForOldest();
        }
        boolean closed = false;
        while (!closed && !oldest.isEmpty()) {
            Waiting waiting = oldest.poll();
            if (waiting.connection.waitedTicks() >= waiting.ticks) { // else it has done something since
                closedForOthers = closedForOthers + 1;
                waiting.connection.abort();
                closed = true;
            }
        }
        longestWaitTicks = oldest.isEmpty() ? 0 : oldest.getFirst().ticks;
        return closed;
    }

    private void lookForOldest() {
        lookedTicks = loop.clock.ticks;
        PriorityQueue<Waiting> found = new PriorityQueue<>(Comparator.comparingLong(Waiting::ticks));
        for (Connection connection : connections) {
            long ticks = connection.waitedTicks();
            if (ticks >= LEAST_TICKS && (found.size() < MOST_CLOSED || ticks > found.element().ticks)) {
                found.add(new Waiting(connection, ticks));
                if (found.size() > MOST_CLOSED) {
                    found.poll();
                }
            }
        }
        while (!found.isEmpty()) {
            oldest.addFirst(found.poll());
        }
    }

    private void closed(Connection connection) {
        connections.remove(connection);
        loop.connections = connections.size();
    }

    private void drainSoon(Connection connection) {
        executor.schedule(() -> connection.endIfIdle(true), loop.clock.drainDelayNanos(), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        loop.clock.tick();
        oldest.clear();
        long longest = 0;
        for (Connection connection : List.copyOf(connections)) {
            connection.tick();
            longest = Math.max(longest, connection.waitedTicks());
        }
        longestWaitTicks = longest >= LEAST_TICKS ? longest : 0;
    }
}
