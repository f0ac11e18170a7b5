package kvant.cassandra;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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
/// Keys share a fixed number of lines, by hash. Whoever needs several lines takes them in ascending order, and whoever
/// shares a line has no other, so that nobody waits for himself.
final class WriteOrder {

    /// A write that waits for its turn.
    interface Turn {

        /// Its place in the order is taken; called under a lock, must be quick.
        void placed();

        /// It may go.
        void go();
    }

    private static final int LINES = 4096;

    private final Line[] lines = new Line[LINES];

    WriteOrder() {
        Arrays.setAll(lines, _ -> new Line());
    }

    /// The lines of a batch, ascending.
    static int[] linesOf(Iterable<Mutation> mutations, int count) {
        int[] found = new int[count];
        int at = 0;
        for (Mutation mutation : mutations) {
            found[at++] = Layout.hash(mutation.key()) & LINES - 1;
        }
        return Arrays.stream(found).sorted().distinct().toArray();
    }

    /// Has a write wait for its turn, which may come at once.
    ///
    /// @param alone whether nobody else may be under way
    void enter(int[] wanted, boolean alone, Turn turn) {
        if (wanted.length > 1 && !alone) {
            throw new IllegalArgumentException("who shares takes one line");
        }
        enter(wanted, 0, alone, turn);
    }

    /// The write has ended.
    void leave(int[] held, boolean alone) {
        for (int line : held) {
            lines[line].leave(alone);
        }
    }

    private void enter(int[] wanted, int at, boolean alone, Turn turn) {
        boolean last = at == wanted.length - 1;
        Turn step = last
                ? turn
                : new Turn() {
                    @Override
                    public void placed() {}

                    @Override
                    public void go() {
                        enter(wanted, at + 1, alone, turn);
                    }
                };
        lines[wanted[at]].enter(alone, step);
    }

    /// Guarded by itself.
    private static final class Line {

        private record Waiting(boolean alone, Turn turn) {}

        private final Deque<Waiting> waiting = new ArrayDeque<>(0);
        private int sharing;
        private boolean taken;

        void enter(boolean alone, Turn turn) {
            synchronized (this) {
                if (taken || !waiting.isEmpty() || alone && sharing > 0) {
                    waiting.add(new Waiting(alone, turn));
                    return;
                }
                take(alone, turn);
            }
            turn.go();
        }

        void leave(boolean alone) {
            Deque<Turn> next = new ArrayDeque<>(0);
            synchronized (this) {
                if (alone) {
                    taken = false;
                } else {
                    sharing--;
                }
                while (!waiting.isEmpty() && isFree(waiting.getFirst().alone())) {
                    Waiting first = waiting.removeFirst();
                    take(first.alone(), first.turn());
                    next.add(first.turn());
                }
            }
            next.forEach(Turn::go);
        }

        private boolean isFree(boolean alone) {
            return !taken && (!alone || sharing == 0);
        }

        private void take(boolean alone, Turn turn) {
            if (alone) {
                taken = true;
            } else {
                sharing++;
            }
            turn.placed();
        }
    }
}
