package kvant.prove.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Whether a history is linearizable: each operation took effect at one moment between its call and its answer.
///
/// Keys that no operation has in common are judged apart (P-compositionality: Horn and Kroening, 2015), each object by
/// [ObjectSearch].
final class Linearizability {

    enum Verdict {
        YES,
        NO,
        /// The bound of states was reached first.
        UNDECIDED
    }

    /// @param where nothing is the matter, empty; else the operations around the one that no order explains
    record Result(Verdict verdict, long states, List<Operation> around) {}

    private Linearizability() {}

    /// @param most states that are remembered for one object
    static Result check(List<Operation> history, long most) {
        long states = 0;
        Verdict verdict = Verdict.YES;
        for (List<Operation> object : objects(history)) {
            Result one = new ObjectSearch(object, most).run();
            states += one.states();
            if (one.verdict() == Verdict.NO) {
                return new Result(Verdict.NO, states, one.around());
            }
            verdict = one.verdict() == Verdict.YES ? verdict : one.verdict();
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
}
