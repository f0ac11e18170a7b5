package kvant.bench.simulation;

import java.util.Map;
import java.util.TreeMap;
import kvant.lsm.version.Shape.RunShape;
import org.jspecify.annotations.Nullable;

/// Simulated tables that do not overlap, by their smallest keys. Belongs to one thread.
///
/// The shape of a run that has not changed costs nothing: in a store of thousands of tables, most steps change a dozen.
final class SimulatedRun {

    private final long id;
    private final TreeMap<Integer, SimulatedTable> tables = new TreeMap<>();

    /// Null after a change, until it is needed.
    private @Nullable RunShape shape;

    SimulatedRun(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    RunShape shape() {
        RunShape known = shape;
        if (known == null) {
            known = new RunShape(
                    id, tables.values().stream().map(SimulatedTable::shape).toList());
            shape = known;
        }
        return known;
    }

    void add(SimulatedTable table) {
        tables.put(table.smallest(), table);
        shape = null;
    }

    void remove(SimulatedTable table) {
        tables.remove(table.smallest());
        shape = null;
    }

    /// The table that may hold a key; null where there is none.
    @Nullable
    SimulatedTable around(int key) {
        Map.Entry<Integer, SimulatedTable> before = tables.floorEntry(key);
        return before == null || before.getValue().largest() < key ? null : before.getValue();
    }
}
