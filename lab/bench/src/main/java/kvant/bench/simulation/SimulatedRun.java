package kvant.bench.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.jspecify.annotations.Nullable;

/// Simulated tables that do not overlap, by key. Belongs to one thread.
///
/// Costs nothing for tables that stay: in a store of thousands of them, most steps change a dozen.
final class SimulatedRun {

    private static final Comparator<SimulatedTable> BY_KEY = Comparator.comparingInt(SimulatedTable::smallest);

    private final long id;
    private final List<SimulatedTable> tables = new ArrayList<>();
    private final List<TableShape> shapes = new ArrayList<>();

    /// Null after a change, until somebody asks.
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
            known = new RunShape(id, shapes);
            shape = known;
        }
        return known;
    }

    void add(SimulatedTable table) {
        int found = Collections.binarySearch(tables, table, BY_KEY);
        int place = found < 0 ? -found - 1 : found;
        tables.add(place, table);
        shapes.add(place, table.shape());
        shape = null;
    }

    void remove(SimulatedTable table) {
        int place = Collections.binarySearch(tables, table, BY_KEY);
        tables.remove(place);
        shapes.remove(place);
        shape = null;
    }

    /// The table that may hold a key; null where there is none.
    @Nullable
    SimulatedTable around(int key) {
        int first = 0;
        int high = tables.size();
        while (first < high) {
            int middle = (first + high) >>> 1;
            if (tables.get(middle).largest() < key) {
                first = middle + 1;
            } else {
                high = middle;
            }
        }
        return first < tables.size() && tables.get(first).smallest() <= key ? tables.get(first) : null;
    }
}
