package kvant.server.http;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The order of one connection's requests in the service: it decides which pipelined requests may run concurrently (RFC
/// 9112, section 9.3.2).
///
/// Requests of one lane run concurrently: safe ones and updates of different keys in any order, unsafe ones in their
/// order, in which the service hands them to the engine. Requests of different lanes never do. A request that must wait
/// also holds up all requests behind
/// it.
///
///     admits --yes--> under way --ended--> gone
///            --no---> hold [first come, first served] --next--> under way
///
/// Owned by the connection's event loop. Invariant: all requests under way are of one lane.
final class RequestOrder<T extends RequestOrder.Member> {

    /// Classes of requests that may run concurrently with each other.
    enum Lane {
        /// They change nothing.
        SAFE,
        UNSAFE,
        /// Read-modify-write requests: each key in the order of the requests that change it so.
        UPDATE,
        /// Exclusive: no other request runs concurrently.
        ALONE
    }

    /// A request.
    interface Member {

        /// Whether it changes nothing.
        boolean isSafe();

        default Lane lane() {
            return isSafe() ? Lane.SAFE : Lane.UNSAFE;
        }
    }

    // Owned by the event loop.
    private Lane lane = Lane.SAFE;
    private int underWay;
    private @Nullable ArrayDeque<T> held;

    /// Starts a request if it may run at once; otherwise returns false.
    boolean admits(T request) {
        if (held != null && !held.isEmpty() || !mayGo(request)) {
            return false;
        }
        begun(request);
        return true;
    }

    /// Queues a request that has to wait behind the others.
    void hold(T request) {
        ArrayDeque<T> line = held;
        if (line == null) {
            line = new ArrayDeque<>();
            held = line;
        }
        line.add(request);
    }

    /// Removes a request whose effect can no longer be changed by later ones.
    void ended() {
        underWay--;
    }

    /// Starts and returns the first waiting request, if it may run now; else null.
    @Nullable
    T next() {
        ArrayDeque<T> line = held;
        T first = line == null ? null : line.peek();
        if (line == null || first == null || !mayGo(first)) {
            return null;
        }
        line.remove();
        begun(first);
        return first;
    }

    /// Whether no unsafe request is under way.
    boolean isQuiet() {
        return underWay == 0 || lane == Lane.SAFE;
    }

    /// Discards all waiting requests.
    void clear() {
        held = null;
    }

    private boolean mayGo(T request) {
        return underWay == 0 || lane == request.lane() && lane != Lane.ALONE;
    }

    private void begun(T request) {
        lane = request.lane();
        underWay++;
    }
}
