package kvant.load.loop;

import java.util.concurrent.TimeUnit;
import kvant.load.net.Sockets;
import kvant.text.UserException;

/// Establishes the connections of a loop, and re-establishes lost ones.
///
/// A connection that has received an answer, or was open for a second, is re-established at once. One that was refused,
/// or closed sooner, is retried after [#RETRY_NANOS], so that the return of a server is noticed. Many connections do
/// not flood the server: a loop makes [#RETRIES_PER_TURN] attempts per turn, longest waiting first, and more only while
/// the server answers. The delay between the earliest possible and the actual attempt counts as the generator's own:
/// the connection is considered able to send from the earlier time.
///
/// Owned by the loop.
final class Connector {

    /// Pause between a failure and the next attempt on the same connection; up to one turn of the loop is added.
    static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /// Maximum number of retries per turn while the server does not answer.
    static final int RETRIES_PER_TURN = 16;

    /// Maximum number of retries per turn while the server answers.
    static final int MOST_RETRIES_PER_TURN = 64;

    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long NEVER = Long.MIN_VALUE;

    // Constant.
    private final Sockets sockets;
    private final LoopFigures figures;
    private final long connectNanos;

    // Owned by the loop.
    private int open;
    private int nextTended;
    private long failedAt = NEVER;
    private long refusedAt = NEVER;

    /// @param connectNanos time limit for establishing a connection
    Connector(Sockets sockets, LoopFigures figures, long connectNanos) {
        this.sockets = sockets;
        this.figures = figures;
        this.connectNanos = connectNanos;
    }

    /// Establishes all connections before the measurement.
    ///
    /// @param eachNanos additional time per connection
    /// @throws UserException when a connection fails
    void connectAll(LoadConnection[] connections, long eachNanos, Control control) {
        long deadline = System.nanoTime() + connectNanos + connections.length * eachNanos;
        for (LoadConnection connection : connections) {
            if (!sockets.connect(connection.slot)) {
                throw new UserException(sockets.lastError());
            }
            connection.state = LoadConnection.State.CONNECTING;
        }
        while (open < connections.length && !control.cancelled) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new UserException("only " + open + " of " + connections.length + " connections stood in time");
            }
            int ready = sockets.await(Math.min(left, LOOK_NANOS));
            for (int i = 0; i < ready; i++) {
                LoadConnection connection = connections[sockets.readySlot(i)];
                if (connection.state == LoadConnection.State.CONNECTING && !finish(connection, System.nanoTime())) {
                    throw new UserException(sockets.lastError());
                }
            }
        }
    }

    private boolean finish(LoadConnection connection, long now) {
        if (!sockets.finishConnect(connection.slot)) {
            return false;
        }
        connection.state = LoadConnection.State.OPEN;
        connection.localPort = sockets.localPort(connection.slot);
        connection.openedAt = now;
        connection.ableSince = now - connection.pausedNanos;
        connection.ableLate = 0;
        connection.answeredSinceOpen = false;
        figures.openConnections = ++open;
        figures.connects = figures.connects + 1; // single writer
        return true;
    }

    /// Handles a broken or closed connection. No request is in flight on it any more.
    void lost(LoadConnection connection, long now) {
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        connection.pendingLength = 0;
        connection.parser.reset();
        figures.openConnections = --open;
        // A long-lived idle connection that was closed does not count as refused.
        if (connection.answeredSinceOpen || now - connection.openedAt >= LONG_NANOS) {
            connection.pausedNanos = 0;
            again(connection, now);
        } else {
            failed(connection, now);
        }
    }

    private void again(LoadConnection connection, long now) {
        figures.reconnects++;
        if (sockets.connect(connection.slot)) {
            connection.state = LoadConnection.State.CONNECTING;
            connection.connectingSince = now;
            connection.reconnectAt = now + connectNanos;
        } else {
            refused(connection, now, sockets.lastError());
        }
    }

    /// Handles a connecting socket that became ready.
    ///
    /// @return whether the connection is established
    boolean reconnected(LoadConnection connection, long now) {
        if (finish(connection, now)) {
            return true;
        }
        refused(connection, now, sockets.lastError());
        return false;
    }

    private void refused(LoadConnection connection, long now, String why) {
        figures.refusedConnects++;
        figures.lastTrouble = why;
        sockets.close(connection.slot);
        connection.state = LoadConnection.State.CLOSED;
        refusedAt = now;
        failed(connection, now);
    }

    private void failed(LoadConnection connection, long now) {
        failedAt = now;
        connection.failedAt = now;
        connection.reconnectAt = now + RETRY_NANOS;
    }

    /// Maintains the connections that are not open, in turn.
    ///
    /// @param until no attempt starts later
    void tend(LoadConnection[] connections, long now, long until) {
        int left = figures.lastAnswerNanos > failedAt ? MOST_RETRIES_PER_TURN : RETRIES_PER_TURN;
        int first = nextTended;
        for (int i = 0; i < connections.length && open < connections.length; i++) {
            int index = (first + i) % connections.length;
            LoadConnection connection = connections[index];
            boolean due = now - connection.reconnectAt >= 0;
            if (connection.state == LoadConnection.State.CONNECTING && due) {
                refused(connection, now, "a connection did not stand in time");
            } else if (connection.state == LoadConnection.State.CLOSED && due && now < until && left > 0) {
                left--;
                nextTended = index + 1;
                // A refusal of any connection shows that the server was down; a loss concerns only its own connection.
                connection.pausedNanos = now - Math.max(connection.failedAt, refusedAt);
                again(connection, now);
            }
        }
    }
}
