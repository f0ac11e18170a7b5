package kvant.load.loop;

import java.util.concurrent.TimeUnit;
import kvant.load.net.Sockets;
import kvant.text.UserException;

/// Makes the connections of a loop, and makes them again when they are lost.
///
/// A connection that has answered, or stood for a second, is made again at once. One that was closed sooner, or
/// refused, waits 10 ms, then twice as long each time, up to a second, so that a server in trouble is not stormed.
///
/// Owned by the loop.
final class Connector {

    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    // Constant.
    private final Sockets sockets;
    private final LoopFigures figures;
    private final long connectNanos;

    // Owned by the loop.
    private int open;

    /// @param connectNanos how long a connection may take to stand
    Connector(Sockets sockets, LoopFigures figures, long connectNanos) {
        this.sockets = sockets;
        this.figures = figures;
        this.connectNanos = connectNanos;
    }

    /// Makes all connections before anything is measured.
    ///
    /// @throws UserException where one cannot be made
    void connectAll(LoadConnection[] connections, Control control) {
        long deadline = System.nanoTime() + connectNanos;
        for (LoadConnection connection : connections) {
            if (!sockets.connect(connection.slot)) {
                throw new UserException(sockets.lastError());
            }
            connection.state = LoadConnection.State.CONNECTING;
        }
        while (open < connections.length && !control.isCancelled()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new UserException("only " + open + " of " + connections.length + " connections stood in time");
            }
            int ready = sockets.await(Math.min(left, LOOK_NANOS));
            for (int i = 0; i < ready; i++) {
                LoadConnection connection = connections[sockets.readySlot(i)];
                if (connection.state == LoadConnection.State.CONNECTING && !finish(connection)) {
                    throw new UserException(sockets.lastError());
                }
            }
        }
    }

    private boolean finish(LoadConnection connection) {
        if (!sockets.finishConnect(connection.slot)) {
            return false;
        }
        connection.state = LoadConnection.State.OPEN;
        connection.localPort = sockets.localPort(connection.slot);
        connection.openedAt = System.nanoTime();
        connection.ableSince = connection.openedAt;
        connection.ableLate = 0;
        connection.answeredSinceOpen = false;
        figures.openConnections = ++open;
        return true;
    }

    /// A connection is broken, or was closed. Nothing is in flight on it any more.
    void lost(LoadConnection connection, long now) {
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        connection.pendingLength = 0;
        connection.parser.reset();
        figures.openConnections = --open;
        // One that stood for long was closed because it was idle, and is no refusal.
        if (connection.answeredSinceOpen || now - connection.openedAt >= LONGEST_BACKOFF_NANOS) {
            again(connection, now);
        } else {
            backOff(connection, now);
        }
    }

    private void again(LoadConnection connection, long now) {
        figures.reconnects++;
        if (sockets.connect(connection.slot)) {
            connection.state = LoadConnection.State.CONNECTING;
            connection.connectingSince = now;
            connection.reconnectAt = now + connectNanos;
        } else {
            refused(connection, now);
        }
    }

    /// A connection that was being made became ready.
    ///
    /// @return whether it stands
    boolean reconnected(LoadConnection connection) {
        if (finish(connection)) {
            return true;
        }
        refused(connection, System.nanoTime());
        return false;
    }

    private void refused(LoadConnection connection, long now) {
        figures.refusedConnects++;
        figures.lastTrouble = sockets.lastError();
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        backOff(connection, now);
    }

    private static void backOff(LoadConnection connection, long now) {
        connection.backoffNanos = Math.clamp(2 * connection.backoffNanos, FIRST_BACKOFF_NANOS, LONGEST_BACKOFF_NANOS);
        connection.reconnectAt = now + connection.backoffNanos;
    }

    /// Looks after a connection that is not open.
    ///
    /// @param until no attempt begins later
    void tend(LoadConnection connection, long now, long until) {
        boolean due = now - connection.reconnectAt >= 0;
        if (connection.state == LoadConnection.State.CONNECTING && due) {
            refused(connection, now);
        } else if (connection.state == LoadConnection.State.CLOSED && due && now < until) {
            again(connection, now);
        }
    }
}
