package kvant.cli.control;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The connections of the control socket, bounded: those that have not asked yet, and those whose request is carried
/// out. A caller that says nothing never keeps another from asking: the one that has been silent for the longest goes.
/// Any thread may call.
final class Callers {

    static final int MAX_SILENT = 8;
    static final int MAX_SERVED = 8;

    // Guarded by this.
    private final Deque<LineChannel> silent = new ArrayDeque<>(); // oldest first
    private int served;

    /// Takes a connection in.
    ///
    /// @return the one that has to go for it, or null
    synchronized @Nullable LineChannel connected(LineChannel caller) {
        LineChannel gone = silent.size() < MAX_SILENT ? null : silent.pollFirst();
        silent.addLast(caller);
        return gone;
    }

    /// A request has arrived.
    ///
    /// @return whether it may be carried out now; then [#served] is to be called
    synchronized boolean asked(LineChannel caller) {
        if (!silent.remove(caller) || served == MAX_SERVED) {
            return false;
        }
        served++;
        return true;
    }

    /// A request has been carried out.
    synchronized void served() {
        served--;
    }

    /// A connection has ended before it asked.
    synchronized void left(LineChannel caller) {
        silent.remove(caller);
    }
}
