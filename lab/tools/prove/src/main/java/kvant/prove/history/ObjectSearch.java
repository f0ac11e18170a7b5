package kvant.prove.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.prove.history.Linearizability.Result;
import kvant.prove.history.Linearizability.Verdict;
import kvant.prove.history.Operation.Cell;
import kvant.prove.history.Operation.Outcome;

/// A search for an order of the operations of one object: that of Wing and Gong (1993), with the memory of Lowe (2017),
/// as porcupine has it.
///
/// Calls and ends stand in a list by time. An operation may come next if its call stands before all ends that are left;
/// one that does is
/// taken out with its end. Where none fits, the last one is put back. What has been taken out, with the state that it
/// led to, is tried once.
///
/// Reads that fit are taken at once. An open operation is tried after the others, and may be left out once its end
/// comes first. Those that never end need
/// not be taken out.
final class ObjectSearch {

    /// Bits of a value in a state, which is a `long`.
    private static final int BITS = 21;

    private static final int MOST_KEYS = 63 / BITS;
    private static final long MASK = (1L << BITS) - 1;
    private static final long IMPOSSIBLE = -1;
    private static final int AROUND = 12;

    private enum Phase {
        /// What changes nothing and fits is taken first. If any order is right, one with it at this place is.
        READS,
        WRITES,
        OPEN,
        LEFT_OUT
    }

    private record Step(int operation, Phase phase, long before) {}

    private record State(BitSet taken, long values) {}

    // Constant: operations by their calls, and for each those of its session that must come first.
    private final List<Operation> operations;
    private final List<List<Integer>> predecessors = new ArrayList<>();
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final long most;

    // The list: entry i is the call of operation i, entry n + i its end, 2n the head.
    private final int[] next;
    private final int[] previous;
    private final int head;

    // The search.
    private final Set<State> seen = new HashSet<>();
    private final Deque<Step> taken = new ArrayDeque<>();
    private final BitSet bits = new BitSet();
    private long values;
    private int left;
    private int deepest;
    private int stuck;

    ObjectSearch(List<Operation> object, long most) {
        this.most = most;
        operations = new ArrayList<>(object);
        operations.sort(Comparator.comparingLong(Operation::called)); // stable: pipelined ones stay in their order
        int count = operations.size();
        head = 2 * count;
        next = new int[head + 1];
        previous = new int[head + 1];
        Map<Long, Session> sessions = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Operation operation = operations.get(i);
            operation.keys().forEach(key -> slots.putIfAbsent(key, slots.size()));
            order(i, sessions.computeIfAbsent(operation.session(), _ -> new Session()));
            left += operation.isOpen() ? 0 : 1;
        }
        if (slots.size() > MOST_KEYS) {
            throw new IllegalArgumentException(slots.size() + " keys are one object, " + MOST_KEYS + " may be");
        }
        link();
        stuck = firstEnd();
    }

    /// Requests of a session that a node lets go side by side, and those before them. Open ones need not come first.
    private static final class Session {
        private List<Integer> before = List.of();
        private List<Integer> beside = new ArrayList<>();
    }

    private void order(int one, Session session) {
        Operation operation = operations.get(one);
        boolean isBeside = !session.beside.isEmpty()
                && operations.get(session.beside.getLast()).isBeside(operation);
        List<Integer> first = new ArrayList<>(isBeside ? session.before : session.beside);
        if (isBeside && !operation.writes().isEmpty()) { // of one key, those that change it are in their order
            int key = operation.keys().getFirst();
            for (int other : session.beside) {
                if (operations.get(other).keys().getFirst() == key) {
                    first.add(other);
                }
            }
        }
        predecessors.add(first);
        if (!operation.isOpen()) {
            session.before = isBeside ? session.before : session.beside;
            session.beside = isBeside ? session.beside : new ArrayList<>();
            session.beside.add(one);
        }
    }

    private void link() {
        Integer[] entries = new Integer[head];
        Arrays.setAll(entries, i -> i);
        // Of one moment, calls come first: then the two overlap, and both orders are possible.
        Arrays.sort(entries, Comparator.<Integer>comparingLong(this::time).thenComparingInt(i -> i));
        int last = head;
        for (int entry : entries) {
            next[last] = entry;
            previous[entry] = last;
            last = entry;
        }
        next[last] = head;
        previous[head] = last;
    }

    private long time(int entry) {
        return isCall(entry)
                ? operations.get(entry).called()
                : operations.get(entry - operations.size()).ended();
    }

    private boolean isCall(int entry) {
        return entry < operations.size();
    }

    Result run() {
        Phase phase = Phase.READS;
        int entry = next[head];
        while (left > 0) {
            if (seen.size() > most) {
                return new Result(Verdict.UNDECIDED, seen.size(), List.of());
            }
            if (phase != Phase.LEFT_OUT && isCall(entry)) {
                boolean isNew = phaseOf(operations.get(entry)) == phase && take(entry, phase);
                phase = isNew ? Phase.READS : phase;
                entry = next[isNew ? head : entry];
            } else if (phase == Phase.READS || phase == Phase.WRITES) {
                phase = phase == Phase.READS ? Phase.WRITES : Phase.OPEN;
                entry = next[head];
            } else if (phase == Phase.OPEN && leaveOut(entry - operations.size())) {
                phase = Phase.READS;
                entry = next[head];
            } else {
                if (taken.isEmpty()) {
                    return new Result(Verdict.NO, seen.size(), around());
                }
                Step step = putBack();
                phase = step.phase() == Phase.READS ? Phase.LEFT_OUT : step.phase();
                entry = next[step.operation()];
            }
        }
        return new Result(Verdict.YES, seen.size(), List.of());
    }

    private static Phase phaseOf(Operation operation) {
        boolean isRead = operation.writes().isEmpty() || operation.outcome() == Outcome.REFUSED;
        return operation.isOpen() ? Phase.OPEN : isRead ? Phase.READS : Phase.WRITES;
    }

    private boolean take(int operation, Phase phase) {
        for (int predecessor : predecessors.get(operation)) {
            if (!bits.get(predecessor)) {
                return false;
            }
        }
        long after = after(operations.get(operation));
        boolean isNothing = phase == Phase.OPEN && after == values;
        return after != IMPOSSIBLE && !isNothing && advance(operation, phase, after);
    }

    /// Its end is the first of the list: it has not taken effect.
    private boolean leaveOut(int operation) {
        return operations.get(operation).isOpen() && advance(operation, Phase.LEFT_OUT, values);
    }

    private boolean advance(int operation, Phase phase, long after) {
        bits.set(operation);
        if (!seen.add(new State((BitSet) bits.clone(), after))) {
            bits.clear(operation);
            return false;
        }
        taken.push(new Step(operation, phase, values));
        values = after;
        unlink(operation);
        unlink(operation + operations.size());
        left -= operations.get(operation).isOpen() ? 0 : 1;
        if (taken.size() > deepest) {
            deepest = taken.size();
            stuck = firstEnd();
        }
        return true;
    }

    private Step putBack() {
        Step step = taken.pop();
        int operation = step.operation();
        relink(operation + operations.size());
        relink(operation);
        bits.clear(operation);
        values = step.before();
        left += operations.get(operation).isOpen() ? 0 : 1;
        return step;
    }

    private void unlink(int entry) {
        next[previous[entry]] = next[entry];
        previous[next[entry]] = previous[entry];
    }

    private void relink(int entry) {
        next[previous[entry]] = entry;
        previous[next[entry]] = entry;
    }

    private int firstEnd() {
        int entry = next[head];
        while (entry != head && isCall(entry)) {
            entry = next[entry];
        }
        return entry == head ? 0 : entry - operations.size();
    }

    /// Operations that were under way with the one whose end no order has passed, and those before it.
    private List<Operation> around() {
        Operation one = operations.get(stuck);
        List<Operation> near = operations.stream()
                .filter(other -> other.called() <= one.ended())
                .toList();
        return near.subList(Math.max(0, near.size() - AROUND), near.size());
    }

    private long after(Operation operation) {
        boolean holds = holds(operation.conditions());
        if (operation.outcome() == Outcome.REFUSED) {
            return holds ? IMPOSSIBLE : values;
        }
        if (operation.outcome() == Outcome.DONE && !(holds && holds(operation.reads()))) {
            return IMPOSSIBLE;
        }
        long after = values;
        for (Cell cell : holds ? operation.writes() : List.<Cell>of()) {
            int shift = BITS * slots.getOrDefault(cell.key(), 0);
            after = after & ~(MASK << shift) | (long) cell.value() << shift;
        }
        return after;
    }

    private boolean holds(List<Cell> cells) {
        for (Cell cell : cells) {
            long value = values >>> BITS * slots.getOrDefault(cell.key(), 0) & MASK;
            if (cell.value() == Cell.PRESENT ? value == Cell.ABSENT : value != cell.value()) {
                return false;
            }
        }
        return true;
    }
}
