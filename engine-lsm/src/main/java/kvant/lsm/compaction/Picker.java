package kvant.lsm.compaction;

import java.util.Set;
import kvant.lsm.version.Shape;

/// Decides what to merge next: a pure function of the shape of a version.
public sealed interface Picker permits Leveled, Universal {

    /// @param busy numbers of tables that are being merged now; no choice has one of them
    /// @param damaged numbers of tables that cannot be read; no choice has one of them, and none waits for them
    /// @param nowMillis since the epoch: tables of which much has expired by then are written anew
    Choice pick(Shape shape, Set<Long> busy, Set<Long> damaged, long nowMillis);

    /// As above, of a store without damage.
    default Choice pick(Shape shape, Set<Long> busy, long nowMillis) {
        return pick(shape, busy, Set.of(), nowMillis);
    }

    /// Begins to merge everything to one run, without deletions.
    FullMerge all(Shape shape);

    /// Whether a merge may give records the number of a newer run. Then none takes what a full merge works on, which
    /// would lose sight of it.
    boolean raisesRuns();

    /// How many bytes have to be rewritten before [#pick] rests, roughly: writers are slowed down by it.
    long debtBytes(Shape shape);
}
