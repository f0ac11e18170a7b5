package kvant.move.mirror;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// One at a time for each key: whoever changes a key in either engine holds the key's line from before the source is
/// asked until the target has answered, or is known to lack the change. So the target sees the changes of a key in the
/// order in which the source made them, whatever the timing of threads and answers.
///
///     line:  client write | copier | client write | ...      first come, first served
///
/// Keys share a fixed number of lines, by hash. Who needs several joins all of them at once: a place in one is then the
/// place in all, and nobody waits in a circle. Waiting blocks no thread: the turn is called when it comes. See
/// docs/decisions/0018-mirror-order.md.
final class KeyOrder {

    /// Whose turn it is.
    interface Turn {

        /// Every line is held; must not block.
        void go();
    }

    private static final Logger LOGGER = System.getLogger(KeyOrder.class.getName());

    private static final int LINES = 4096;

    // Constant.
    private final Line[] lines = new Line[LINES];

    // Concurrent.
    private final Queue<Turn> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    KeyOrder() {
        Arrays.setAll(lines, _ -> new Line());
    }

    /// The lines of a batch, ascending.
    static int[] linesOf(List<Mutation> mutations) {
        if (mutations.size() == 1) {
            return new int[] {lineOf(mutations.getFirst().key())};
        }
        return mutations.stream()
                .mapToInt(mutation -> lineOf(mutation.key()))
                .sorted()
                .distinct()
                .toArray();
    }

    /// The lines of some keys, ascending.
    static int[] linesOfKeys(List<Key> keys) {
        return keys.stream()
                .mapToInt(key -> lineOf(key.bytes()))
                .sorted()
                .distinct()
                .toArray();
    }

    /// Fibonacci hashing: the upper bits of the product hang on all bytes.
    private static int lineOf(byte[] key) {
        return Arrays.hashCode(key) * 0x9E3779B9 >>> 20;
    }

    /// Has somebody wait for the turn, which may come within this call.
    ///
    /// @param wanted ascending
    void enter(int[] wanted, Turn turn) {
        Ticket ticket = new Ticket(turn, new AtomicInteger(wanted.length));
        boolean complete = false;
        for (int line : wanted) {
            lines[line].lock.lock();
        }
        try {
            for (int line : wanted) {
                complete |= lines[line].join(ticket);
            }
        } finally {
            for (int line : wanted) {
                lines[line].lock.unlock();
            }
        }
        if (complete) {
            turn.go();
        }
    }

    /// Gives the lines to those who wait.
    void leave(int[] held) {
        boolean any = false;
        for (int line : held) {
            Turn next = lines[line].leave();
            if (next != null) {
                ready.add(next);
                any = true;
            }
        }
        if (any) {
            callReady();
        }
    }

    /// One caller at a time, in a loop: a turn that ends within its own call would otherwise call the next one from
    /// within, and a long line would be a deep stack.
    private void callReady() {
        if (calls.getAndIncrement() != 0) {
            return; // who is calling sees it
        }
        int seen = 1;
        do {
            for (Turn turn = ready.poll(); turn != null; turn = ready.poll()) {
                try {
                    turn.go();
                } catch (Throwable e) { // others wait
                    LOGGER.log(Level.ERROR, "a write in its turn failed", e);
                }
            }
            seen = calls.addAndGet(-seen);
        } while (seen != 0);
    }

    /// @param missing lines in which the turn has not come
    private record Ticket(Turn turn, AtomicInteger missing) {

        boolean advance() {
            return missing.decrementAndGet() == 0;
        }
    }

    /// Guarded by its lock.
    private static final class Line {

        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<Ticket> waiting = new ArrayDeque<>(0);
        private boolean held;

        /// @return whether the turn has come in all lines
        boolean join(Ticket ticket) {
            if (held) {
                waiting.add(ticket);
                return false;
            }
            held = true;
            return ticket.advance();
        }

        /// @return whose turn has come in all lines, if anybody's
        @Nullable
        Turn leave() {
            lock.lock();
            try {
                Ticket next = waiting.poll();
                held = next != null;
                return next != null && next.advance() ? next.turn() : null;
            } finally {
                lock.unlock();
            }
        }
    }
}
