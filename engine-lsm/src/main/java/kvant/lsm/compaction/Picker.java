package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;

/// Decides what to merge next: a pure function of the shape of a version.
public sealed interface Picker permits Leveled, Universal {

    /// @param busy numbers of tables that are being merged now; no choice has one of them
    /// @param damaged numbers of tables that cannot be read; no choice has one of them, and none waits for them
    /// @param nowMillis since the epoch: tables of which much has expired by then are rewritten
    CompactionPlan pick(Shape shape, Set<Long> busy, Set<Long> damaged, long nowMillis);

    /// As above, of a store without damage.
    default CompactionPlan pick(Shape shape, Set<Long> busy, long nowMillis) {
        return pick(shape, busy, Set.of(), nowMillis);
    }

    /// A merge that drops deleted data, however little, for a store that takes no writes until there is room.
    CompactionPlan makeRoom(Shape shape, Set<Long> busy, Set<Long> damaged);

    /// Begins to merge everything to one run, without deletions.
    FullMerge all(Shape shape);

    /// Whether a merge may give records the number of a newer run. Then ordinary merges leave out the runs of a full
    /// merge, which would lose track of them.
    boolean raisesRuns();

    /// The approximate bytes to rewrite before [#pick] rests: writers are slowed down by it.
    long debtBytes(Shape shape);

    /// Compaction of expired values: a table of which much has expired is rewritten without it, alone and in its place,
    /// also when users write nothing. Where an older table may hold the key, a deletion is left in the place of a
    /// value.
    static CompactionPlan expired(Shape shape, Set<Long> busy, long nowMillis) {
        for (RunShape run : shape.runs()) {
            for (TableShape table : run.tables()) {
                if (table.isMostlyExpired(nowMillis) && !busy.contains(table.number())) {
                    return CompactionPlan.Merge.alone(run, table);
                }
            }
        }
        return CompactionPlan.REST;
    }

    /// Runs that are neighbours without a damaged table among them, newest first: what may be merged with each other,
    /// for a run never passes another one.
    static List<List<RunShape>> around(Set<Long> damaged, List<RunShape> runs) {
        if (damaged.isEmpty()) {
            return List.of(runs);
        }
        List<List<RunShape>> stretches = new ArrayList<>();
        List<RunShape> current = new ArrayList<>();
        for (RunShape run : runs) {
            if (Shape.isAny(run.tables(), damaged)) {
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
