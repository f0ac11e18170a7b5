package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import kvant.lsm.bytes.Keys;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.jspecify.annotations.Nullable;

/// Leveled merging, as in LevelDB, with level sizes that follow the data from the bottom up, as RocksDB's dynamic
/// level bytes do: the last level holds nearly everything, each level above it a `multiplier`-th, so that dead
/// versions take about a tenth of the space of the live ones.
///
///     level 0    output of flushes; gathered, and then merged all at once into
///     base       the first level in use: at most `baseBytes` large, levels above it are empty
///     ...        from a level above its size, the table that costs least to merge goes to the next level
///     last       never above its size
///
/// The size of a level is that of its tables and the values that they refer to (its weight), so that the levels are
/// the same wherever values lie. The cost of a table counts tables only, because a merge writes only those.
///
/// @param level0Runs level 0 is merged when it has this many runs
/// @param baseBytes the level that level 0 is merged into is at most this large
/// @param multiplier ratio of the size of each level to the one above it
public record Leveled(int level0Runs, long baseBytes, int multiplier) implements Picker {

    /// Writes slow down at more.
    private static final int LEVEL0_RUNS_BESIDE_DAMAGE = 10;

    /// Divisor: level 0 may hold this part of the last level, and as much is then dead.
    private static final int LEVEL0_PART = 5;

    /// Divisor: level 0 is merged when it refers to this part of all values.
    private static final int LEVEL0_VALUE_PARTS = 8;

    public Leveled {
        if (level0Runs < 1 || baseBytes < 1 || multiplier < 2) {
            throw new IllegalArgumentException("at least 1 run, 1 byte, and levels that grow");
        }
    }

    /// Levels that fit memtables of this size. The base may grow to four times what level 0 holds when it is merged: a
    /// smaller one only adds a level, a larger one is rewritten too often (docs/dev/decisions/0007).
    public static Leveled above(long memtableBytes) {
        return new Leveled(4, 16 * memtableBytes, 10);
    }

    /// @param base where level 0 is merged into
    /// @param bytes how large each level may be; 0 above the base
    record Targets(int base, long[] bytes) {}

    @Override
    public CompactionPlan pick(Shape shape, Set<Long> busy, Set<Long> damaged, long nowMillis) {
        Set<Long> taken = Picker.union(busy, damaged);
        Targets targets = targets(shape);
        for (int level : urgentFirst(shape, targets)) {
            CompactionPlan choice = level == 0
                    ? fromLevel0(shape, targets, busy, damaged, valueScore(shape) >= 1)
                    : fromLevel(shape, level, taken);
            if (!(choice instanceof CompactionPlan.Rest)) {
                return choice;
            }
        }
        CompactionPlan choice = Picker.expired(shape, taken, nowMillis);
        return choice instanceof CompactionPlan.Rest ? dropDeletions(shape, busy, damaged, 2) : choice;
    }

    @Override
    public CompactionPlan makeRoom(Shape shape, Set<Long> busy, Set<Long> damaged) {
        return dropDeletions(shape, busy, damaged, Long.MAX_VALUE);
    }

    @Override
    public FullMerge all(Shape shape) {
        return new FullMerge(baseBytes, Levels.runOf(Levels.LAST), shape);
    }

    @Override
    public boolean raisesRuns() {
        return false;
    }

    @Override
    public long debtBytes(Shape shape) {
        Targets targets = targets(shape);
        List<RunShape> zero = shape.levelZero();
        long debt = zero.size() < level0Runs ? 0 : Shape.bytesOf(tables(zero));
        for (int level = 1; level < Levels.LAST; level++) {
            RunShape run = shape.level(level);
            long excess = Math.max(0, weight(run) - targets.bytes()[level]);
            debt += run == null ? 0 : (long) ((double) excess / run.weight() * run.bytes());
        }
        return debt;
    }

    /// Sizes from the largest level up; the base is the first that is small enough, or that already holds something.
    Targets targets(Shape shape) {
        long[] target = new long[Levels.LAST + 1];
        target[Levels.LAST] = baseBytes;
        int firstUsed = Levels.LAST;
        for (int level = Levels.LAST; level >= 1; level--) {
            long bytes = weight(shape.level(level));
            target[Levels.LAST] = Math.max(target[Levels.LAST], bytes);
            firstUsed = bytes > 0 ? level : firstUsed;
        }
        int base = Levels.LAST;
        while (base > 1 && target[base] > baseBytes) {
            target[base - 1] = target[base] / multiplier;
            base--;
        }
        return new Targets(Math.min(base, firstUsed), target);
    }

    /// The levels that are above their size, the worst first.
    private List<Integer> urgentFirst(Shape shape, Targets targets) {
        double[] scores = new double[Levels.LAST];
        scores[0] = Math.max((double) shape.levelZero().size() / level0Runs, valueScore(shape));
        for (int level = 1; level < Levels.LAST; level++) {
            scores[level] = (double) weight(shape.level(level)) / Math.max(1, targets.bytes()[level]);
        }
        return IntStream.range(0, Levels.LAST)
                .filter(level -> scores[level] >= 1)
                .boxed()
                .sorted((a, b) -> Double.compare(scores[b], scores[a]))
                .toList();
    }

    /// The score of level 0 by its share of all value references. With a large share it is merged sooner: until then
    /// it is unknown which values beneath have become garbage, and merging pointers costs little.
    private static double valueScore(Shape shape) {
        long all = 0;
        long zero = 0;
        for (RunShape run : shape.runs()) {
            long values = run.weight() - run.bytes();
            all += values;
            zero += run.level() == 0 ? values : 0;
        }
        return all == 0 ? 0 : (double) LEVEL0_VALUE_PARTS * zero / all;
    }

    /// Merges all of level 0 into the base at once, since its runs overlap. Only data without overlap, such as keys
    /// written in order, is moved.
    ///
    /// @param now even if it is little
    private CompactionPlan fromLevel0(Shape shape, Targets targets, Set<Long> busy, Set<Long> damaged, boolean now) {
        List<RunShape> zero = shape.levelZero();
        RunShape base = shape.level(targets.base());
        RunShape oldest = zero.getLast();
        if (Shape.isAny(tables(zero), damaged) || Shape.isAny(overlapping(base, zero), damaged)) {
            return besideDamage(shape, targets.base(), busy, damaged);
        }
        if (Shape.isAny(tables(zero), busy)) {
            return CompactionPlan.REST;
        }
        long output = Levels.runOf(targets.base());
        if (overlapping(base, List.of(oldest)).isEmpty()) {
            return new CompactionPlan.Move(
                    oldest.tables().stream().map(TableShape::number).toList(), output);
        }
        // The more is merged at once, the less often the base is rewritten; the last level bounds the dead part.
        long batchBytes = Math.min(baseBytes / 2, targets.bytes()[Levels.LAST] / LEVEL0_PART);
        if (!now && zero.size() < 2 * level0Runs && weight(zero) < batchBytes) {
            return gather(zero);
        }
        List<TableShape> overlapped = overlapping(base, zero);
        if (Shape.isAny(overlapped, busy)) {
            return CompactionPlan.REST;
        }
        List<CompactionPlan.Input> inputs = new ArrayList<>();
        zero.forEach(run -> inputs.add(CompactionPlan.Input.of(run)));
        if (!overlapped.isEmpty()) {
            inputs.add(CompactionPlan.Input.of(output, overlapped));
        }
        return new CompactionPlan.Merge(inputs, output);
    }

    /// The newest runs of level 0, which are of about one size, become one: so a look-up asks few of them until there
    /// is enough to be merged.
    private CompactionPlan gather(List<RunShape> zero) {
        int count = 1;
        long largest = zero.getFirst().bytes();
        while (count < zero.size() && zero.get(count).bytes() <= 2 * largest) {
            largest = Math.max(largest, zero.get(count).bytes());
            count++;
        }
        if (count < Math.max(2, level0Runs)) { // one alone would be rewritten for ever
            return CompactionPlan.REST;
        }
        List<RunShape> alike = zero.subList(0, count);
        return CompactionPlan.Merge.of(alike, alike.getLast().id());
    }

    /// Merges of level 0 while a damaged table keeps it from being merged as a whole. Its runs are merged with each
    /// other, by size, so that their number stays small. From the result of the oldest ones, tables go into the
    /// base wherever they overlap nothing damaged.
    private CompactionPlan besideDamage(Shape shape, int base, Set<Long> busy, Set<Long> damaged) {
        List<RunShape> zero = shape.levelZero();
        Set<Long> taken = Picker.union(busy, damaged);
        TableShape best = cheapest(zero.getLast(), shape.level(base), multiplier, taken);
        if (best != null) {
            return down(zero.getLast().id(), shape.level(base), Levels.runOf(base), best);
        }
        Universal bySize = new Universal(Math.max(2, level0Runs), Math.max(LEVEL0_RUNS_BESIDE_DAMAGE, level0Runs));
        for (List<RunShape> neighbours : Picker.around(damaged, zero)) {
            if (bySize.bySize(new Shape(neighbours), busy) instanceof CompactionPlan.Merge merge) {
                return new CompactionPlan.Merge(
                        merge.inputs(), merge.inputs().getLast().run());
            }
        }
        return CompactionPlan.REST;
    }

    /// The table that overlaps least of the next level, measured by its own size.
    private static CompactionPlan fromLevel(Shape shape, int level, Set<Long> busy) {
        TableShape best = cheapest(shape.level(level), shape.level(level + 1), Double.MAX_VALUE, busy);
        return best == null ? CompactionPlan.REST : down(shape, level, best);
    }

    /// @param limit bound on the overlapped bytes for each of its own bytes
    private static @Nullable TableShape cheapest(
            @Nullable RunShape run, @Nullable RunShape next, double limit, Set<Long> busy) {
        TableShape best = null;
        double lowest = limit;
        for (TableShape table : run == null ? List.<TableShape>of() : run.tables()) {
            List<TableShape> overlapped = overlapping(next, table);
            double cost = (double) Shape.bytesOf(overlapped) / table.bytes();
            if (cost < lowest && !busy.contains(table.number()) && !Shape.isAny(overlapped, busy)) {
                best = table;
                lowest = cost;
            }
        }
        return best;
    }

    /// Moves or merges a table one level down.
    private static CompactionPlan down(Shape shape, int level, TableShape table) {
        return down(Levels.runOf(level), shape.level(level + 1), Levels.runOf(level + 1), table);
    }

    private static CompactionPlan down(long run, @Nullable RunShape next, long output, TableShape table) {
        List<TableShape> overlapped = overlapping(next, table);
        if (overlapped.isEmpty()) {
            return new CompactionPlan.Move(List.of(table.number()), output);
        }
        return new CompactionPlan.Merge(
                List.of(CompactionPlan.Input.of(run, List.of(table)), CompactionPlan.Input.of(output, overlapped)),
                output);
    }

    /// Tables of many deletions go down although no level is too large: they slow scans, and the records that they
    /// hide take space. Where nothing older overlaps, rewriting the table is enough.
    ///
    /// @param most records of a table for each of its deletions, exclusive
    private CompactionPlan dropDeletions(Shape shape, Set<Long> busy, Set<Long> damaged, long most) {
        CompactionPlan choice = hasDeletions(tables(shape.levelZero()), most)
                ? fromLevel0(shape, targets(shape), busy, damaged, true)
                : CompactionPlan.REST;
        return choice instanceof CompactionPlan.Rest ? sweep(shape, Picker.union(busy, damaged), most) : choice;
    }

    private static CompactionPlan sweep(Shape shape, Set<Long> busy, long most) {
        for (int level = 1; level <= Levels.LAST; level++) {
            RunShape run = shape.level(level);
            if (run == null) {
                continue;
            }
            for (TableShape table : run.tables()) {
                if (!hasDeletions(List.of(table), most) || busy.contains(table.number())) {
                    continue;
                }
                if (isOldest(shape, level, table)) {
                    return CompactionPlan.Merge.alone(run, table);
                }
                if (!Shape.isAny(overlapping(shape.level(level + 1), table), busy)) {
                    return down(shape, level, table);
                }
            }
        }
        return CompactionPlan.REST;
    }

    private static boolean hasDeletions(List<TableShape> tables, long most) {
        long deletions = tables.stream().mapToLong(TableShape::deletions).sum();
        long records = tables.stream().mapToLong(TableShape::records).sum();
        return deletions > records / most;
    }

    private static boolean isOldest(Shape shape, int level, TableShape table) {
        for (int deeper = level + 1; deeper <= Levels.LAST; deeper++) {
            if (!overlapping(shape.level(deeper), table).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static List<TableShape> overlapping(@Nullable RunShape run, TableShape table) {
        return run == null ? List.of() : run.overlapping(table.smallestKey(), table.largestKey());
    }

    private static List<TableShape> overlapping(@Nullable RunShape run, List<RunShape> above) {
        if (run == null) {
            return List.of();
        }
        byte[] smallest = above.getFirst().tables().getFirst().smallestKey();
        byte[] largest = above.getFirst().tables().getLast().largestKey();
        for (RunShape each : above) {
            byte[] first = each.tables().getFirst().smallestKey();
            byte[] last = each.tables().getLast().largestKey();
            smallest = Keys.compare(first, smallest) < 0 ? first : smallest;
            largest = Keys.compare(last, largest) > 0 ? last : largest;
        }
        return run.overlapping(smallest, largest);
    }

    private static List<TableShape> tables(List<RunShape> runs) {
        return runs.stream().flatMap(run -> run.tables().stream()).toList();
    }

    private static long weight(@Nullable RunShape run) {
        return run == null ? 0 : run.weight();
    }

    private static long weight(List<RunShape> runs) {
        return runs.stream().mapToLong(RunShape::weight).sum();
    }
}
