package kvant.server.http;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Which requests of one connection may be with the service side by side, so that pipelined requests take effect as if
/// each were answered before the next one is looked at (RFC 9112, section 9.3.2).
///
/// Safe requests go side by side, and so do unsafe ones, which the service hands to the engine in their order; never a
/// safe one beside an unsafe one. Whoever may not go waits, and so does everybody behind it.
///
///     admits --yes--> under way --ended--> gone
///            --no---> hold [first come, first served] --next--> under way
///
/// Owned by the connection's event loop. Invariant: of `safe` and `unsafe`, one is zero.
final class RequestOrder<T extends RequestOrder.Member> {

    /// One request.
    interface Member {

        /// Whether it changes nothing.
        boolean isSafe();
    }

    // Owned by the event loop.
    private int safe;
    private int unsafe;
    private @Nullable ArrayDeque<T> held;

    /// Whether a request may go at once; then it is under way.
    boolean admits(T request) {
        if (holdsAny() || !mayGo(request)) {
            return false;
        }
        count(request, 1);
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
    void ended(T request) {
        count(request, -1);
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
        count(first, 1);
        return first;
    }

    /// Whether no unsafe request is under way.
    boolean isQuiet() {
        return unsafe == 0;
    }

    /// Nobody waits any more.
    void clear() {
        held = null;
    }

    private boolean holdsAny() {
        return held != null && !held.isEmpty();
    }

    private boolean mayGo(T request) {
        return (request.isSafe() ? unsafe : safe) == 0;
    }

    private void count(T request, int difference) {
        if (request.isSafe()) {
            safe += difference;
        } else {
            unsafe += difference;
        }
    }
}
