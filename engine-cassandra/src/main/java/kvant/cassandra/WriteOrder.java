package kvant.cassandra;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Mutation;

/// Has the writes of a key that come through this node take effect in the order of their submission, where their
/// timestamps alone cannot see to it.
///
/// Ordinary writes of a key go out side by side: the larger timestamp wins. A condition is judged by the cluster at a
/// time of its own, and a batch touches several keys, so each of those is alone with its keys: it waits for the writes
/// before it, and those after it wait for it.
///
///     shared, shared, shared | alone | shared, shared | alone
///
/// Keys share a fixed number of lines, by hash. A write that needs several lines joins all of them at once: its place
/// in
/// one is then its place in all, so that writes after it come after it everywhere, and nobody waits in a circle.
/// Conditions of one bucket stand in a line of their own besides: they would only disturb each other in the cluster.
final class WriteOrder {

    /// A write that waits for its turn.
    interface Turn {

        /// Its place in the order is taken; called under a lock, must be quick.
        void placed();

        /// It may go.
        void go();
    }

    private static final int KEY_LINES = 4096;
    private static final int BUCKET_LINES = 256;

    private final Line[] lines = new Line[KEY_LINES + BUCKET_LINES];

    WriteOrder() {
        Arrays.setAll(lines, _ -> new Line());
    }

    /// The lines of ordinary writes, ascending.
    static int[] linesOf(List<Mutation> mutations) {
        int[] found = new int[mutations.size()];
        Arrays.setAll(found, i -> keyLine(mutations.get(i).key()));
        return found.length == 1
                ? found
                : Arrays.stream(found).sorted().distinct().toArray();
    }

    /// The lines of a conditional write, ascending.
    static int[] linesOf(byte[] key, int bucket) {
        return new int[] {keyLine(key), KEY_LINES + bucket % BUCKET_LINES};
    }

    private static int keyLine(byte[] key) {
        return Layout.hash(key) & KEY_LINES - 1;
    }

    /// Has a write wait for its turn, which may come at once.
    ///
    /// @param wanted ascending
    /// @param alone whether nobody else may be under way
    void enter(int[] wanted, boolean alone, Turn turn) {
        Ticket ticket = new Ticket(alone, turn, new AtomicInteger(wanted.length));
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

    /// The write has ended.
    void leave(int[] held, boolean alone) {
        List<Turn> next = new ArrayList<>(0);
        for (int line : held) {
            lines[line].leave(alone, next);
        }
        next.forEach(Turn::go);
    }

    /// A write in its lines.
    ///
    /// @param missing lines in which its turn has not come
    private record Ticket(boolean alone, Turn turn, AtomicInteger missing) {

        /// Its turn has come in one more line, whose lock is held.
        ///
        /// @return whether it has come in all
        boolean advance() {
            if (missing.decrementAndGet() > 0) {
                return false;
            }
            turn.placed();
            return true;
        }
    }

    /// Guarded by its lock.
    private static final class Line {

        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<Ticket> waiting = new ArrayDeque<>(0);
        private int sharing;
        private boolean taken;

        /// @return whether the turn of the write has come everywhere
        boolean join(Ticket ticket) {
            if (!waiting.isEmpty() || !isFree(ticket.alone())) {
                waiting.add(ticket);
                return false;
            }
            return take(ticket);
        }

        /// @param next takes those whose turn has come
        void leave(boolean alone, List<Turn> next) {
            lock.lock();
            try {
                if (alone) {
                    taken = false;
                } else {
                    sharing--;
                }
                while (!waiting.isEmpty() && isFree(waiting.getFirst().alone())) {
                    Ticket first = waiting.removeFirst();
                    if (take(first)) {
                        next.add(first.turn());
                    }
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean isFree(boolean alone) {
            return !taken && (!alone || sharing == 0);
        }

        private boolean take(Ticket ticket) {
            if (ticket.alone()) {
                taken = true;
            } else {
                sharing++;
            }
            return ticket.advance();
        }
    }
}
