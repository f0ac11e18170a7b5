package kvant.prove.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.prove.history.Operation.Cell;
import kvant.prove.history.Operation.Outcome;

/// Whether a history is linearizable: each operation took effect at one moment between its call and its answer.
///
/// Keys that no operation has in common are judged apart (P-compositionality: Horn and Kroening, 2015). For each such
/// object this searches an order of its operations: the search of Wing and Gong (1993), with the memory of Lowe (2017),
/// as porcupine has it. An operation may come next if its call is before all ends that are left. Where none fits, the
/// last one is put back. A set of taken operations, with the state that it led to, is tried once.
final class Linearizability {

    /// Bits of a value in a state, which is a `long`.
    private static final int BITS = 21;

    private static final int MOST_KEYS = 63 / BITS;
    private static final long MASK = (1L << BITS) - 1;
    private static final long IMPOSSIBLE = -1;
    private static final int AROUND = 12;

    enum Verdict {
        YES,
        NO,
        /// The bound of states was reached first.
        UNDECIDED
    }

    /// @param around where nothing is the matter, empty; else the operations around the one that no order explains
    record Result(Verdict verdict, long states, List<Operation> around) {}

    private record State(BitSet taken, long values) {}

    /// An operation that may come next, or one that is left out, and the state after it.
    private record Move(int operation, long after) {}

    /// @param before the state
    /// @param others what may come in its place
    private record Step(int operation, long before, Iterator<Move> others) {}

    // Constant: operations by their calls, and for each those of its session that must come first.
    private final List<Operation> operations;
    private final List<List<Integer>> predecessors = new ArrayList<>();
    private final Map<Integer, Integer> slots = new HashMap<>();

    // The search.
    private final Set<State> seen = new HashSet<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final BitSet taken = new BitSet();
    private long values;
    private long left;
    private int deepest;
    private int stuck;

    private Linearizability(List<Operation> object) {
        operations = object.stream()
                .sorted(Comparator.comparingLong(Operation::called)) // stable: pipelined ones stay in their order
                .toList();
        Map<Long, Session> sessions = new HashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            operation.keys().forEach(key -> slots.putIfAbsent(key, slots.size()));
            order(i, sessions.computeIfAbsent(operation.session(), _ -> new Session()));
            left += operation.isOpen() ? 0 : 1;
        }
        if (slots.size() > MOST_KEYS) {
            throw new IllegalArgumentException(slots.size() + " keys are one object, " + MOST_KEYS + " may be");
        }
    }

    /// @param most states that are remembered for one object
    static Result check(List<Operation> history, long most) {
        long states = 0;
        Verdict verdict = Verdict.YES;
        for (List<Operation> object : objects(history)) {
            Linearizability search = new Linearizability(object);
            Verdict one = search.run(most);
            states += search.seen.size();
            if (one == Verdict.NO) {
                return new Result(Verdict.NO, states, search.around());
            }
            verdict = one == Verdict.YES ? verdict : one;
        }
        return new Result(verdict, states, List.of());
    }

    /// The operations of keys that belong together because an operation has both.
    private static Iterable<List<Operation>> objects(List<Operation> history) {
        Map<Integer, Integer> parents = new HashMap<>();
        for (Operation operation : history) {
            List<Integer> keys = operation.keys();
            for (int key : keys) {
                parents.put(root(parents, key), root(parents, keys.getFirst()));
            }
        }
        Map<Integer, List<Operation>> objects = new LinkedHashMap<>();
        for (Operation operation : history) {
            int object = root(parents, operation.keys().getFirst());
            objects.computeIfAbsent(object, _ -> new ArrayList<>()).add(operation);
        }
        return objects.values();
    }

    private static int root(Map<Integer, Integer> parents, int key) {
        int parent = parents.getOrDefault(key, key);
        return parent == key ? key : root(parents, parent);
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

    private Verdict run(long most) {
        Iterator<Move> moves = moves();
        while (left > 0) {
            if (seen.size() > most) {
                return Verdict.UNDECIDED;
            }
            if (moves.hasNext()) {
                Move move = moves.next();
                moves = take(move, moves) && left > 0 ? moves() : moves;
            } else if (steps.isEmpty()) {
                return Verdict.NO;
            } else {
                moves = putBack();
            }
        }
        return Verdict.YES;
    }

    /// Those that may come next. What changes nothing and fits is taken at once: if any order is right, one with
    /// it at this place is. An open operation is tried after the others, and is left out once its end comes first:
    /// it has not taken effect. Those that never end need not be taken.
    private Iterator<Move> moves() {
        List<Move> writes = new ArrayList<>();
        List<Move> open = new ArrayList<>();
        int first = taken.nextClearBit(0); // whose end is
        long end = Operation.NEVER;
        for (int i = first; i < operations.size(); i = taken.nextClearBit(i + 1)) {
            Operation one = operations.get(i);
            if (one.called() > end) { // of one moment, both orders are possible
                break;
            }
            first = one.ended() < end ? i : first;
            end = Math.min(end, one.ended());
            long after = predecessors.get(i).stream().allMatch(taken::get) ? after(one) : IMPOSSIBLE;
            boolean isRead = one.writes().isEmpty() || one.outcome() == Outcome.REFUSED;
            if (after == IMPOSSIBLE || one.isOpen() && after == values) {
                continue;
            } else if (isRead && !one.isOpen()) {
                return List.of(new Move(i, after)).iterator();
            }
            (one.isOpen() ? open : writes).add(new Move(i, after));
        }
        if (steps.size() >= deepest) {
            deepest = steps.size();
            stuck = first;
        }
        writes.addAll(open);
        if (operations.get(first).isOpen()) {
            writes.add(new Move(first, values));
        }
        return writes.iterator();
    }

    /// @return false where this has been tried
    private boolean take(Move move, Iterator<Move> others) {
        taken.set(move.operation());
        if (!seen.add(new State((BitSet) taken.clone(), move.after()))) {
            taken.clear(move.operation());
            return false;
        }
        steps.push(new Step(move.operation(), values, others));
        values = move.after();
        left -= operations.get(move.operation()).isOpen() ? 0 : 1;
        return true;
    }

    /// @return what may come in the place of the last one
    private Iterator<Move> putBack() {
        Step step = steps.pop();
        taken.clear(step.operation());
        values = step.before();
        left += operations.get(step.operation()).isOpen() ? 0 : 1;
        return step.others();
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
