package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.lsm.value.ValueReference;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import kvant.lsm.version.Shape.ValueShape;

/// The choice of value files to empty: a pure function of the shape of a version. Data that tables refer to counts as
/// live; the rest of a file is garbage left by merges.
///
/// The files with the largest shares of garbage are emptied, as few as bring the space of all files under the bound
/// (Rosenblum and Ousterhout, 1992: the cost of a freed byte is the live data next to it). Every merge moves the
/// values of these files that it meets. A half-emptied file has more garbage than before, so that it stays chosen
/// until no table refers to it; then it is deleted.
///
/// Tables outside of ordinary merges are rewritten for this purpose once that frees much more than it writes.
///
/// @param maxSpace largest size of all value files together, as a multiple of their live data
public record ValueGarbage(double maxSpace) {

    /// Ratio of freed bytes to the size of the tables above which tables are rewritten for this purpose.
    private static final int WORTHWHILE = 4;

    /// @param live bytes of its records
    private record File(ValueShape shape, long live) {

        long garbage() {
            return shape.bytes() - live;
        }

        double garbageShare() {
            return (double) garbage() / Math.max(1, shape.bytes());
        }
    }

    /// The bytes of garbage beyond the bound: writers are slowed down by it.
    public long excessBytes(Shape shape) {
        return Math.max(0, excess(files(shape)));
    }

    /// The files that values are moved out of.
    ///
    /// @param damaged numbers of files that cannot be read
    public Set<Long> victims(Shape shape, Set<Long> damaged) {
        Set<Long> numbers = new HashSet<>();
        choose(shape, damaged).forEach(file -> numbers.add(file.shape().number()));
        return numbers;
    }

    /// A table to be rewritten because it refers to such files: the one that frees most.
    ///
    /// @param busy numbers of tables that no choice may have
    public CompactionPlan pick(Shape shape, Set<Long> busy, Set<Long> damaged) {
        List<File> victims = choose(shape, damaged);
        Set<Long> numbers = new HashSet<>();
        long freed = 0;
        for (File file : victims) {
            numbers.add(file.shape().number());
            freed += file.garbage();
        }
        long rewritten = 0;
        long most = 0;
        CompactionPlan best = CompactionPlan.REST;
        for (RunShape run : shape.runs()) {
            for (TableShape table : run.tables()) {
                long moved = movedBytes(table, numbers);
                rewritten += moved == 0 ? 0 : table.bytes();
                if (moved > most && !busy.contains(table.number()) && !damaged.contains(table.number())) {
                    most = moved;
                    best = CompactionPlan.Merge.alone(run, table);
                }
            }
        }
        return freed >= WORTHWHILE * rewritten ? best : CompactionPlan.REST;
    }

    /// The most bytes that a merge of a table moves out of these files.
    public static long movedBytes(TableShape table, Set<Long> victims) {
        long bytes = 0;
        for (ValueReference each : table.values()) {
            bytes += victims.contains(each.file()) ? each.bytes() : 0;
        }
        return bytes;
    }

    private List<File> choose(Shape shape, Set<Long> damaged) {
        List<File> files = files(shape);
        long excess = excess(files);
        List<File> chosen = new ArrayList<>();
        if (excess <= 0) {
            return chosen;
        }
        files.sort(Comparator.comparingDouble(File::garbageShare).reversed());
        for (File file : files) {
            if (excess <= 0 || file.garbage() == 0) {
                break;
            }
            if (!damaged.contains(file.shape().number())) {
                chosen.add(file);
                excess -= file.garbage();
            }
        }
        return chosen;
    }

    private long excess(List<File> files) {
        long bytes = 0;
        long live = 0;
        for (File file : files) {
            bytes += file.shape().bytes();
            live += file.live();
        }
        return bytes - (long) (maxSpace * live);
    }

    private static List<File> files(Shape shape) {
        Map<Long, Long> live = new HashMap<>();
        for (RunShape run : shape.runs()) {
            for (TableShape table : run.tables()) {
                for (ValueReference each : table.values()) {
                    live.merge(each.file(), each.bytes(), Long::sum);
                }
            }
        }
        List<File> files = new ArrayList<>();
        for (ValueShape file : shape.valueFiles()) {
            files.add(new File(file, live.getOrDefault(file.number(), 0L)));
        }
        return files;
    }
}
