package kvant.lsm.compaction;

import java.util.List;
import java.util.Set;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;

/// Compaction of expired values: tables of which much has expired are rewritten without it, also when users write
/// nothing. Where an older table may hold the key, a deletion is left in the place of a value.
final class Expired {

    private Expired() {}

    /// A table alone, in its place.
    static Choice pick(Shape shape, Set<Long> busy, long nowMillis) {
        for (RunShape run : shape.runs()) {
            for (TableShape table : run.tables()) {
                if (table.isMostlyExpired(nowMillis) && !busy.contains(table.number())) {
                    return new Choice.Merge(List.of(Choice.Input.of(run.id(), List.of(table))), run.id());
                }
            }
        }
        return Choice.REST;
    }
}
