package kvant.server.http;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Which requests of one connection may be with the service side by side, so that pipelined requests take effect as if
/// each were answered before the next one is looked at (RFC 9112, section 9.3.2).
///
/// Requests of one lane go side by side: safe ones do, and so do unsafe ones, which the service hands to the engine in
/// their order; never one of a lane beside one of another. Whoever may not go waits, and so does everybody behind it.
///
///     admits --yes--> under way --ended--> gone
///            --no---> hold [first come, first served] --next--> under way
///
/// Owned by the connection's event loop. Invariant: all that are under way are of one lane.
final class RequestOrder<T extends RequestOrder.Member> {

    /// Who goes beside whom.
    enum Lane {
        /// They change nothing.
        SAFE,
        UNSAFE,
        /// They read and then write what follows from it, each key in the order of those that change it so.
        UPDATE,
        /// Nobody goes beside one of these.
        ALONE
    }

    /// One request.
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

    /// Whether a request may go at once; then it is under way.
    boolean admits(T request) {
        if (holdsAny() || !mayGo(request)) {
            return false;
        }
        begun(request);
        return true;
    }

    /// A request that may not go waits behind the others.
    void hold(T request) {
        ArrayDeque<T> line = held;
        if (line == null) {
            line = new ArrayDeque<>();
            held = line;
        }
        line.add(request);
    }

    /// What a request that was under way does cannot be affected any more.
    void ended() {
        underWay--;
    }

    /// The first of those that wait, if it may go now; then it is under way.
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

    /// Nobody waits any more.
    void clear() {
        held = null;
    }

    private boolean holdsAny() {
        return held != null && !held.isEmpty();
    }

    private boolean mayGo(T request) {
        return underWay == 0 || lane == request.lane() && lane != Lane.ALONE;
    }

    private void begun(T request) {
        lane = request.lane();
        underWay++;
    }
}
