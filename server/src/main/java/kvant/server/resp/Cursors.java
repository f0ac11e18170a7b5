package kvant.server.resp;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the iterations of `SCAN` stand: clients carry numbers, and the node keeps the key that each stands for.
///
///     number = iteration * 2^16 + step
///
/// An iteration keeps its last two steps, so that a client whose reply was lost may ask once more. There are so many
/// iterations at most, of so many bytes together; the one goes first that was used the longest ago. Numbers stay below
/// 2^53, which is as far as clients that know floating point alone can count. Any thread may call.
public final class Cursors {

    static final int MOST = 1024;
    static final long MOST_BYTES = 8 << 20;

    private static final int STEP_BITS = 16;
    private static final long STEP_MASK = (1 << STEP_BITS) - 1;

    /// What an iteration takes besides its keys.
    private static final int OVERHEAD_BYTES = 200;

    /// Positions of one iteration.
    private static final class Iteration {
        private long step;
        private byte[] current;
        private byte @Nullable [] previous;

        Iteration(byte[] current) {
            this.current = current;
        }

        long bytes() {
            return OVERHEAD_BYTES + (long) current.length + (previous == null ? 0 : previous.length);
        }
    }

    // Guarded by this.
    private final Map<Long, Iteration> iterations = new LinkedHashMap<>(16, 0.75f, true);
    private long last;
    private long bytes;

    /// The key from which a number goes on.
    ///
    /// @param cursor not 0
    /// @return null where it is not known, or not any more
    synchronized byte @Nullable [] position(long cursor) {
        Iteration iteration = iterations.get(cursor >>> STEP_BITS);
        if (iteration == null) {
            return null;
        }
        long step = cursor & STEP_MASK;
        if (step == iteration.step) {
            return iteration.current;
        }
        return step == (iteration.step - 1 & STEP_MASK) ? iteration.previous : null;
    }

    /// The number under which an iteration goes on from a key.
    ///
    /// @param cursor the one that it has gone on from now, or 0 for a new one
    synchronized long next(long cursor, byte[] position) {
        Iteration known = cursor == 0 ? null : iterations.get(cursor >>> STEP_BITS);
        long id = known == null ? ++last : cursor >>> STEP_BITS;
        Iteration iteration = known == null ? new Iteration(position) : known;
        if (known != null) {
            bytes -= known.bytes();
            if ((cursor & STEP_MASK) == known.step) {
                known.previous = known.current;
                known.step = known.step + 1 & STEP_MASK;
            }
            known.current = position;
        }
        iterations.put(id, iteration);
        bytes += iteration.bytes();
        evict();
        return id << STEP_BITS | iteration.step;
    }

    /// An iteration has come to its end.
    synchronized void end(long cursor) {
        Iteration ended = iterations.remove(cursor >>> STEP_BITS);
        if (ended != null) {
            bytes -= ended.bytes();
        }
    }

    synchronized int count() {
        return iterations.size();
    }

    private void evict() {
        Iterator<Iteration> oldest = iterations.values().iterator();
        while (iterations.size() > 1 && (iterations.size() > MOST || bytes > MOST_BYTES)) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    /// The least key behind another.
    static byte[] behind(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
