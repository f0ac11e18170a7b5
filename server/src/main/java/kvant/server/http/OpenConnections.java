package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The open connections of one event loop: looks at their deadlines, and ends them when the node drains or stops.
///
/// Owned by that loop.
final class OpenConnections {

    // Constant.
    private final EventExecutor executor;
    private final LoopContext loop;

    // Owned by the loop.
    private final Set<Connection> connections = new HashSet<>();

    OpenConnections(EventExecutor executor, LoopContext loop) {
        this.executor = executor;
        this.loop = loop;
        long tickNanos = loop.clock().tickNanos();
        executor.scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    /// Makes a connection of a channel that was accepted.
    void open(Channel channel) {
        Connection connection = new Connection(channel, loop);
        connections.add(connection);
        loop.connections(connections.size());
        channel.closeFuture().addListener(_ -> closed(connection));
        channel.pipeline().addLast(connection);
        if (loop.draining()) {
            drainSoon(connection);
        }
    }

    /// From now on each connection closes with its next answer, or, where it has nothing to answer, soon.
    void drain() {
        loop.beginDraining();
        for (Connection connection : connections) {
            drainSoon(connection);
        }
    }

    /// Closes what is left, answered or not.
    void abort() {
        for (Connection connection : List.copyOf(connections)) {
            connection.abort();
        }
    }

    private void closed(Connection connection) {
        connections.remove(connection);
        loop.connections(connections.size());
    }

    private void drainSoon(Connection connection) {
        executor.schedule(connection::drainIfIdle, loop.clock().drainDelayNanos(), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        loop.clock().tick();
        for (Connection connection : List.copyOf(connections)) {
            connection.checkDeadlines();
        }
    }
}
