package kvant.engine.kit;

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

/// A queue of operations per key: operations on the same keys run one after the other, in the order of their arrival,
/// without blocking a thread. An operation is called when its turn comes. Any thread may enter and leave.
///
/// A turn is shared or exclusive ("alone"). Shared turns run concurrently. An exclusive turn waits for those before
/// it, and those after it wait for it:
///
///     shared, shared, shared | alone | shared, shared | alone
///
/// Keys share a fixed number of lines, by hash. A turn that needs several lines joins all of them atomically: its
/// place in one is then its place in all, so a later operation is behind it in every line, and there is no deadlock.
///
/// Invariants: a turn is called once; the turns behind it are called once it has left, even if it failed; the depth
/// of the stack does not depend on the number of waiting turns. See docs/dev/decisions/0018-mirror-order.md.
public final class KeyedSerializer {

    /// An operation that waits for its turn. Its owner calls [#leave] when it has ended.
    public abstract static class Turn {

        private static final int LEFT = -1;

        // Constant.
        private final int[] lines;
        private final boolean alone;

        // Atomic: lines in which its turn has not come.
        private final AtomicInteger missing;

        /// @param lines ascending, each once
        /// @param alone whether it excludes all other turns in these lines
        protected Turn(int[] lines, boolean alone) {
            this.lines = lines;
            this.alone = alone;
            this.missing = new AtomicInteger(lines.length);
        }

        /// Called when its place in the order is fixed; under a lock, so it must be quick and throw nothing.
        protected void placed() {}

        /// Called when its turn has come; must not block. If it throws, the turn has left.
        protected abstract void go();

        /// Called under the lock of a line in which its turn has come.
        ///
        /// @return whether it has come in all lines
        private boolean advance() {
            if (missing.decrementAndGet() > 0) {
                return false;
            }
            placed();
            return true;
        }
    }

    private static final Logger LOGGER = System.getLogger(KeyedSerializer.class.getName());

    private static final int KEY_LINE_BITS = 12;
    private static final int KEY_LINES = 1 << KEY_LINE_BITS;

    // Constant.
    private final Line[] lines;

    // Concurrent.
    private final Queue<Turn> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    public KeyedSerializer() {
        this(0);
    }

    /// @param further lines for something else than keys; see [#furtherLine]
    public KeyedSerializer(int further) {
        lines = new Line[KEY_LINES + further];
        Arrays.setAll(lines, _ -> new Line());
    }

    /// The lines of a batch, ascending.
    public static int[] linesOf(List<Mutation> mutations) {
        return mutations.size() == 1
                ? new int[] {lineOf(mutations.getFirst().key())}
                : linesOfKeys(mutations.stream().map(Mutation::key).toList());
    }

    /// The lines of some keys, ascending.
    public static int[] linesOfKeys(List<byte[]> keys) {
        return keys.stream()
                .mapToInt(KeyedSerializer::lineOf)
                .sorted()
                .distinct()
                .toArray();
    }

    /// Fibonacci hashing: the upper bits of the product depend on all bytes.
    public static int lineOf(byte[] key) {
        return Arrays.hashCode(key) * 0x9E3779B9 >>> Integer.SIZE - KEY_LINE_BITS;
    }

    /// The index of an additional line. It is above those of keys, so that it comes last in ascending order.
    public static int furtherLine(int number) {
        return KEY_LINES + number;
    }

    /// Queues an operation for its turn, which may come within this call. Rethrows an exception of the turn.
    public void enter(Turn turn) {
        boolean complete = false;
        for (int line : turn.lines) {
            lines[line].lock.lock();
        }
        try {
            for (int line : turn.lines) {
                complete |= lines[line].join(turn);
            }
        } finally {
            for (int line : turn.lines) {
                lines[line].lock.unlock();
            }
        }
        if (complete) {
            try {
                turn.go();
            } catch (Throwable e) {
                leave(turn);
                throw e;
            }
        }
    }

    /// Ends the operation, so that the turns behind it run. Leaving again does nothing.
    public void leave(Turn turn) {
        if (!turn.missing.compareAndSet(0, Turn.LEFT)) {
            return;
        }
        boolean any = false;
        for (int line : turn.lines) {
            any |= lines[line].leave(turn.alone, ready);
        }
        if (any) {
            callReady();
        }
    }

    /// Calls ready turns, one caller at a time, in a loop: a turn that ends within its own call would otherwise call
    /// the next one recursively, and a long line would overflow the stack.
    private void callReady() {
        if (calls.getAndIncrement() != 0) {
            return; // the calling thread sees it
        }
        int seen = 1;
        do {
            for (Turn turn = ready.poll(); turn != null; turn = ready.poll()) {
                try {
                    turn.go();
                } catch (Throwable e) { // other turns wait
                    LOGGER.log(Level.ERROR, "an operation failed in its turn", e);
                    leave(turn);
                }
            }
            seen = calls.addAndGet(-seen);
        } while (seen != 0);
    }

    /// Guarded by its lock.
    private static final class Line {

        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<Turn> waiting = new ArrayDeque<>(0);
        private int sharing;
        private boolean taken;

        /// @return whether the turn has come in all lines
        boolean join(Turn turn) {
            if (!waiting.isEmpty() || !isFree(turn.alone)) {
                waiting.add(turn);
                return false;
            }
            return take(turn);
        }

        /// @param ready takes those whose turn has come in all lines
        /// @return whether there are any
        boolean leave(boolean alone, Queue<Turn> ready) {
            boolean any = false;
            lock.lock();
            try {
                if (alone) {
                    taken = false;
                } else {
                    sharing--;
                }
                while (!waiting.isEmpty() && isFree(waiting.getFirst().alone)) {
                    Turn first = waiting.removeFirst();
                    if (take(first)) {
                        ready.add(first);
                        any = true;
                    }
                }
            } finally {
                lock.unlock();
            }
            return any;
        }

        private boolean isFree(boolean alone) {
            return !taken && (!alone || sharing == 0);
        }

        private boolean take(Turn turn) {
            if (turn.alone) {
                taken = true;
            } else {
                sharing++;
            }
            return turn.advance();
        }
    }
}
