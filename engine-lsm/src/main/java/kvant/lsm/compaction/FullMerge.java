package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import kvant.lsm.bytes.Keys;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.jspecify.annotations.Nullable;

/// A merge of everything to one run, in parts, each of which is installed as it ends:
///
///     gather    neighbouring runs that are small become one
///     descend   the newest run goes into the next older one, key range by key range, until one run is left
///     clean     tables of the last run that hold deletions are rewritten
///
/// Its remaining work follows from the shape of the store alone, so that an aborted merge loses nothing: the next one
/// finds fewer runs. Ordinary merges may continue at the same time, and runs flushed meanwhile are left to them. A
/// position in the descending run keeps this merge from waiting for tables that they bring there.
///
/// One part at a time. Not synchronised; its owner guards it.
public final class FullMerge {

    // Constant.
    private final long partBytes;
    private final long lastRun;
    private final long newestRun;

    // Guarded by its owner.
    private int gathersLeft;
    private int gathersLeftAfterPart;
    private long source = Long.MAX_VALUE;
    private byte[] from = Keys.START;
    private byte[] fromAfterPart = Keys.START;
    private long partInputBytes;
    private long doneBytes;
    private boolean skipped;
    private boolean done;

    /// @param partBytes approximate largest size of a part, where tables are not larger
    /// @param lastRun run into which all is merged; 0 for the oldest one
    /// @param begin shape at the start
    public FullMerge(long partBytes, long lastRun, Shape begin) {
        this.partBytes = partBytes;
        this.lastRun = lastRun;
        this.newestRun = begin.runs().isEmpty() ? 0 : begin.runs().getFirst().id();
        this.gathersLeft = begin.runs().size();
    }

    /// The next part, of tables that no other merge has.
    ///
    /// @param damaged tables that are left out, with all that they overlap
    /// @return [CompactionPlan#REST] when it is done, or has to wait for other merges
    public CompactionPlan next(Shape shape, Set<Long> busy, Set<Long> damaged) {
        partInputBytes = 0;
        fromAfterPart = from;
        gathersLeftAfterPart = gathersLeft;
        List<RunShape> runs = runsOf(shape);
        if (gathersLeft > 0) {
            List<RunShape> small = smallNeighbours(runs, damaged);
            if (!small.isEmpty()) {
                return gather(small, small.size() == runs.size(), busy);
            }
            gathersLeft = 0;
            gathersLeftAfterPart = 0;
        }
        return descend(runs, busy, damaged);
    }

    /// Marks the last chosen part as installed. A part that could not begin is chosen again.
    public void partDone() {
        gathersLeft = gathersLeftAfterPart;
        from = fromAfterPart;
        doneBytes += partInputBytes;
    }

    /// Whether there is nothing left to do.
    public boolean isDone() {
        return done;
    }

    /// Whether damaged data was left out.
    public boolean hasSkipped() {
        return skipped;
    }

    /// Whether this merge works on the run, or will.
    public boolean holds(RunShape run) {
        return run.id() <= newestRun;
    }

    public long doneBytes() {
        return doneBytes;
    }

    /// The approximate bytes that all remaining parts will read: each run is read once more for each older one.
    public long leftBytes(Shape shape) {
        // Data that ordinary merges bring into a run that has gone down is not counted.
        List<RunShape> runs =
                runsOf(shape).stream().filter(run -> run.id() <= source).toList();
        long left = 0;
        long above = 0;
        for (int i = 0; i < runs.size(); i++) {
            long bytes = Shape.bytesOf(tablesFrom(runs.get(i), i < 2 ? from : Keys.START));
            left += i == 0 ? 0 : above + bytes;
            above += bytes;
        }
        return left;
    }

    /// The largest size of a part, which is the room that it needs until its inputs are deleted.
    public long largestPartBytes(Shape shape) {
        List<RunShape> runs = runsOf(shape);
        if (runs.size() < 2) {
            return runs.isEmpty() ? 0 : largestTable(runs.getFirst().tables());
        }
        long all = runs.stream().mapToLong(RunShape::bytes).sum();
        long tables = runs.stream().mapToLong(run -> largestTable(run.tables())).sum();
        return Math.min(all, partBytes + tables);
    }

    private List<RunShape> runsOf(Shape shape) {
        return shape.runs().stream().filter(this::holds).toList();
    }

    // Gathering.

    /// The newest of the groups of neighbours that make up a part together.
    private List<RunShape> smallNeighbours(List<RunShape> runs, Set<Long> damaged) {
        for (List<RunShape> stretch : Picker.around(damaged, runs)) {
            List<RunShape> group = new ArrayList<>();
            long bytes = 0;
            for (RunShape run : stretch) {
                if (bytes + run.bytes() > partBytes) {
                    if (group.size() > 1) {
                        return group;
                    }
                    group.clear();
                    bytes = 0;
                }
                group.add(run);
                bytes += run.bytes();
            }
            if (group.size() > 1) {
                return group;
            }
        }
        return List.of();
    }

    /// The merged run takes the place of its oldest input, so that it remains one of the runs of this merge.
    private CompactionPlan gather(List<RunShape> small, boolean isAll, Set<Long> busy) {
        List<TableShape> tables =
                small.stream().flatMap(run -> run.tables().stream()).toList();
        if (Shape.isAny(tables, busy)) {
            return CompactionPlan.REST;
        }
        gathersLeftAfterPart = gathersLeft - 1;
        partInputBytes = Shape.bytesOf(tables);
        long output = isAll && lastRun > 0 ? lastRun : small.getLast().id();
        return CompactionPlan.Merge.of(small, output);
    }

    // Descending.

    private CompactionPlan descend(List<RunShape> runs, Set<Long> busy, Set<Long> damaged) {
        while (true) {
            RunShape run = runs.stream()
                    .filter(each -> each.id() == source)
                    .findFirst()
                    .orElse(null);
            List<TableShape> tables = run == null ? List.of() : tablesFrom(run, from);
            RunShape next =
                    runs.stream().filter(each -> each.id() < source).findFirst().orElse(null);
            if (!tables.isEmpty()) {
                CompactionPlan choice =
                        next == null ? clean(tables.getFirst(), busy, damaged) : part(tables, next, busy, damaged);
                if (choice != null) {
                    return choice;
                }
            } else if (next != null) {
                source = next.id();
                from = Keys.START;
            } else {
                done = true;
                return CompactionPlan.REST;
            }
        }
    }

    /// A few tables of the descending run, with the tables that they overlap.
    ///
    /// @return null when the first of them is left out
    private @Nullable CompactionPlan part(List<TableShape> tables, RunShape next, Set<Long> busy, Set<Long> damaged) {
        TableShape first = tables.getFirst();
        List<TableShape> beneath = next.overlapping(first.smallestKey(), first.largestKey());
        if (leftOut(first, beneath, damaged)) {
            return null;
        }
        if (busy.contains(first.number()) || Shape.isAny(beneath, busy)) {
            return CompactionPlan.REST;
        }
        if (beneath.isEmpty()) {
            fromAfterPart = behind(first);
            return new CompactionPlan.Move(List.of(first.number()), next.id());
        }
        if (beneath.size() > 1 && Shape.bytesOf(beneath) > partBytes) {
            fromAfterPart = from; // continue with its result
            return new CompactionPlan.Merge(
                    List.of(CompactionPlan.Input.of(source, List.of(first))), source, cuts(beneath));
        }
        List<TableShape> above = new ArrayList<>(List.of(first));
        for (TableShape table : tables.subList(1, tables.size())) {
            List<TableShape> more = next.overlapping(first.smallestKey(), table.largestKey());
            boolean free = !Shape.isAny(more, busy) && !Shape.isAny(more, damaged);
            boolean ownFree = !busy.contains(table.number()) && !damaged.contains(table.number());
            if (!free || !ownFree || Shape.bytesOf(above) + table.bytes() + Shape.bytesOf(more) > partBytes) {
                break;
            }
            above.add(table);
            beneath = more;
        }
        fromAfterPart = behind(above.getLast());
        partInputBytes = Shape.bytesOf(above) + Shape.bytesOf(beneath);
        return new CompactionPlan.Merge(
                List.of(CompactionPlan.Input.of(source, above), CompactionPlan.Input.of(next.id(), beneath)),
                next.id());
    }

    /// A table of the oldest run.
    ///
    /// @return null when nothing is to be done with it
    private @Nullable CompactionPlan clean(TableShape table, Set<Long> busy, Set<Long> damaged) {
        boolean inPlace = lastRun == 0 || source == lastRun;
        if (inPlace && table.deletions() == 0) {
            from = behind(table);
            return null;
        }
        if (leftOut(table, List.of(), damaged)) {
            return null;
        }
        if (busy.contains(table.number())) {
            return CompactionPlan.REST;
        }
        fromAfterPart = behind(table);
        if (table.deletions() == 0) {
            return new CompactionPlan.Move(List.of(table.number()), lastRun);
        }
        partInputBytes = table.bytes();
        return new CompactionPlan.Merge(
                List.of(CompactionPlan.Input.of(source, List.of(table))), inPlace ? source : lastRun);
    }

    private boolean leftOut(TableShape table, List<TableShape> beneath, Set<Long> damaged) {
        boolean isDamaged = damaged.contains(table.number()) || Shape.isAny(beneath, damaged);
        if (isDamaged) {
            skipped = true;
            from = behind(table);
        }
        return isDamaged;
    }

    /// Keys at which a table that overlaps too much is cut, so that each piece overlaps less.
    private List<byte[]> cuts(List<TableShape> beneath) {
        List<byte[]> cuts = new ArrayList<>();
        long bytes = 0;
        for (TableShape table : beneath) {
            if (bytes > 0 && bytes + table.bytes() > partBytes / 2) {
                cuts.add(table.smallestKey());
                bytes = 0;
            }
            bytes += table.bytes();
        }
        return cuts;
    }

    private static List<TableShape> tablesFrom(RunShape run, byte[] key) {
        return run.tables().stream()
                .filter(table -> Keys.compare(table.largestKey(), key) >= 0)
                .toList();
    }

    /// The first key behind a table.
    private static byte[] behind(TableShape table) {
        return Arrays.copyOf(table.largestKey(), table.largestKey().length + 1);
    }

    private static long largestTable(List<TableShape> tables) {
        return tables.stream().mapToLong(TableShape::bytes).max().orElse(0);
    }
}
