package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.bytes.Keys;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.TableShape;
import org.jspecify.annotations.Nullable;

/// A key range of a merge, processed by one thread while other threads process the rest.
///
///     above     |-----------------------------|   stays until all parts are installed
///     output    |---a---|---b---|---c---|---d---|
///     parts     |       1       |       2       |  each replaces whole tables of the output run
///
/// A part is installed as it ends. That is sound although the tables above stay until the end: their records are in
/// the output too, in the same versions, and a deletion that is dropped there still hides the same records. A merge
/// that is aborted after some of its parts is repeated from the tables above, and from the output of these parts.
///
/// @param from first key
/// @param to end, exclusive; null for the end of all keys
/// @param replaced numbers of the tables that its edit removes
/// @param bytes approximate size of its input
public record MergePart(byte[] from, byte @Nullable [] to, List<Long> replaced, long bytes) {

    public MergePart {
        replaced = List.copyOf(replaced);
    }

    /// Splits a merge into parts that read about as much each. Only a merge into a run that it also reads can be
    /// split: otherwise tables of one run would overlap until it has ended.
    ///
    /// @param most parts
    /// @param leastBytes that a part reads
    /// @return one part where it is not split
    public static List<MergePart> split(Shape shape, CompactionPlan.Merge merge, int most, long leastBytes) {
        List<TableShape> output = shape.tables(merge.inputs().getLast().tables());
        long bytes = Shape.bytesOf(shape.tables(merge.tables()));
        long count = Math.min(Math.min(most, bytes / leastBytes), output.size());
        boolean splits = merge.inputs().size() > 1 && merge.inputs().getLast().run() == merge.outputRun();
        if (count < 2 || !splits) {
            return List.of(new MergePart(Keys.START, null, merge.tables(), bytes));
        }
        List<List<TableShape>> groups = groups(output, (int) count);
        List<MergePart> parts = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            byte[] from = i == 0 ? Keys.START : groups.get(i).getFirst().smallestKey();
            byte[] to =
                    i == groups.size() - 1 ? null : groups.get(i + 1).getFirst().smallestKey();
            List<Long> replaced = groups.get(i).stream().map(TableShape::number).toList();
            parts.add(new MergePart(from, to, replaced, bytes / groups.size()));
        }
        return parts;
    }

    /// Whether it is all of its merge.
    public boolean isWhole() {
        return from.length == 0 && to == null;
    }

    /// Neighbours together, in groups of about as many bytes.
    private static List<List<TableShape>> groups(List<TableShape> tables, int count) {
        long left = Shape.bytesOf(tables);
        List<List<TableShape>> groups = new ArrayList<>();
        int next = 0;
        for (int i = count; i > 0; i--) {
            List<TableShape> group = new ArrayList<>();
            long bytes = 0;
            // At least one for each group that is left, and the rest for the last one.
            while (group.isEmpty() || tables.size() - next >= i && (i == 1 || bytes < left / i)) {
                bytes += tables.get(next).bytes();
                group.add(tables.get(next++));
            }
            left -= bytes;
            groups.add(group);
        }
        return groups;
    }
}
