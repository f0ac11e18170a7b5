package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lsm.version.Shape.RunShape;

/// Runs that are neighbours without a damaged table among them: what may be merged with each other, for a run never
/// passes another one.
final class Stretches {

    private Stretches() {}

    /// The runs between those that hold a damaged table, newest first.
    static List<List<RunShape>> around(Set<Long> damaged, List<RunShape> runs) {
        if (damaged.isEmpty()) {
            return List.of(runs);
        }
        List<List<RunShape>> stretches = new ArrayList<>();
        List<RunShape> current = new ArrayList<>();
        for (RunShape run : runs) {
            if (run.tables().stream().anyMatch(table -> damaged.contains(table.number()))) {
                stretches.add(current);
                current = new ArrayList<>();
            } else {
                current.add(run);
            }
        }
        stretches.add(current);
        return stretches;
    }

    static Set<Long> union(Set<Long> some, Set<Long> others) {
        if (others.isEmpty()) {
            return some;
        }
        Set<Long> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }
}
