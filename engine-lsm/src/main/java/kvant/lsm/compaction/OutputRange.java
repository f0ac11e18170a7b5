package kvant.lsm.compaction;

import java.util.List;
import kvant.lsm.bytes.Keys;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.TableShape;

/// The run and key range into which a merge or a move brings tables.
///
///     inputs     |----|          |----|     of several runs
///     output     |--------------------|     one table may span the gap between them
///
/// No table of the run lies in the gap when the merge begins. If another task brought one there before it ends, the
/// two tables would overlap, and look-ups in the run would miss records of one of them. So of two choices whose
/// ranges overlap, the second has to wait (RocksDB does the same: `RangeOverlapWithCompaction`).
///
/// @param run that takes the tables
/// @param smallest key of all inputs
/// @param largest key of all inputs
public record OutputRange(long run, byte[] smallest, byte[] largest) {

    /// @param shape that the choice is made of
    /// @param choice of something to do
    public static OutputRange of(Shape shape, CompactionPlan choice) {
        List<TableShape> inputs = shape.tables(choice.tables());
        byte[] smallest = inputs.getFirst().smallestKey();
        byte[] largest = inputs.getFirst().largestKey();
        for (TableShape table : inputs) {
            smallest = Keys.compare(table.smallestKey(), smallest) < 0 ? table.smallestKey() : smallest;
            largest = Keys.compare(table.largestKey(), largest) > 0 ? table.largestKey() : largest;
        }
        return new OutputRange(choice.outputRun(), smallest, largest);
    }

    /// Whether output tables of both could overlap.
    public boolean overlaps(OutputRange other) {
        return run == other.run
                && Keys.compare(smallest, other.largest) <= 0
                && Keys.compare(other.smallest, largest) <= 0;
    }
}
