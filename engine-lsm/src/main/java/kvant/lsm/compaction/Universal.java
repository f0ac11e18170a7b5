package kvant.lsm.compaction;

import java.util.List;
import java.util.Set;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;

/// Size-tiered merging (the "universal" style of RocksDB): fewer rewrites than [Leveled], at the price of up to twice
/// the space and more filters to probe.
///
/// Neighbouring runs are merged while the next older run is not larger than the runs gathered so far, so that a
/// record is rewritten about log2(data / memtable) times. When the runs above the oldest one have together grown to
/// its size, everything is merged, which bounds the space of dead versions to about that of the live ones.
///
/// @param minRuns fewer runs than this are not merged
/// @param maxRuns more runs than this are merged regardless of their sizes, because each costs a read
public record Universal(int minRuns, int maxRuns) implements Picker {

    public static final Universal DEFAULT = new Universal(4, 10);

    /// Of a full merge.
    private static final long PART_BYTES = 1 << 30;

    public Universal {
        if (minRuns < 2 || maxRuns < minRuns) {
            throw new IllegalArgumentException("at least 2 runs are merged, and at least as many are allowed");
        }
    }

    @Override
    public CompactionPlan pick(Shape shape, Set<Long> busy, Set<Long> damaged, long nowMillis) {
        for (List<RunShape> neighbours : Picker.around(damaged, shape.runs())) {
            CompactionPlan choice = bySize(new Shape(neighbours), busy);
            if (!(choice instanceof CompactionPlan.Rest)) {
                return choice;
            }
        }
        return Picker.expired(shape, Picker.union(busy, damaged), nowMillis);
    }

    @Override
    public CompactionPlan makeRoom(Shape shape, Set<Long> busy, Set<Long> damaged) {
        List<TableShape> all =
                shape.runs().stream().flatMap(run -> run.tables().stream()).toList();
        boolean helps = all.stream().anyMatch(table -> table.deletions() > 0);
        return helps && !Shape.isAny(all, Picker.union(busy, damaged)) ? merge(shape.runs()) : CompactionPlan.REST;
    }

    /// Considers only runs newer than all running merges: two merges never share a neighbour.
    CompactionPlan bySize(Shape shape, Set<Long> busy) {
        List<RunShape> free = shape.runs().stream()
                .takeWhile(run -> !Shape.isAny(run.tables(), busy))
                .toList();
        boolean whole = free.size() == shape.runs().size();
        if (free.size() < minRuns) {
            return CompactionPlan.REST;
        }
        List<Long> sizes = free.stream().map(RunShape::bytes).toList();
        long newer = sizes.stream().mapToLong(Long::longValue).sum() - sizes.getLast();
        if (whole && newer >= sizes.getLast()) {
            return merge(free);
        }
        for (int first = 0; first < sizes.size() - 1; first++) {
            int count = similarFrom(sizes, first);
            if (count >= minRuns) {
                return merge(free.subList(first, first + count));
            }
        }
        int excess = shape.runs().size() - maxRuns;
        return excess > 0 ? merge(free.subList(0, Math.min(excess + 1, free.size()))) : CompactionPlan.REST;
    }

    @Override
    public FullMerge all(Shape shape) {
        return new FullMerge(PART_BYTES, 0, shape);
    }

    @Override
    public boolean raisesRuns() {
        return true;
    }

    @Override
    public long debtBytes(Shape shape) {
        return bySize(shape, Set.of()) instanceof CompactionPlan.Merge merge
                ? Shape.bytesOf(shape.tables(merge.tables()))
                : 0;
    }

    /// The merged run takes the place of its newest input, so that the order of runs stays right.
    private static CompactionPlan merge(List<RunShape> runs) {
        return CompactionPlan.Merge.of(runs, runs.getFirst().id());
    }

    /// The number of neighbours, from this one on, that are each no larger than all before them together.
    private static int similarFrom(List<Long> runBytes, int first) {
        long gathered = runBytes.get(first);
        int next = first + 1;
        while (next < runBytes.size() && runBytes.get(next) <= gathered) {
            gathered += runBytes.get(next);
            next++;
        }
        return next - first;
    }
}
