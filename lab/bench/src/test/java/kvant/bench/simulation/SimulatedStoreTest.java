package kvant.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import org.junit.jupiter.api.Test;

class SimulatedStoreTest {

    private static final int TABLE_RECORDS = 2;

    /// With thousands of tables a simulation would otherwise do little else.
    @Test
    void theShapeOfARunIsMadeAnewOnlyWhenTheRunHasChanged() {
        SimulatedStore store = new SimulatedStore(1, TABLE_RECORDS);
        store.flush(puts(1, 2, 3));
        Shape.RunShape first = store.shape().runs().getFirst();
        assertThat(first.tables()).hasSize(2);

        store.flush(puts(4));
        assertThat(store.shape().runs()).hasSize(2).last().isSameAs(first);

        CompactionPlan move = new Leveled(1, 100, 10).pick(store.shape(), Set.of(), 0);
        store.finish(store.begin(move));
        assertThat(store.shape().runs()).hasSize(2);
        assertThat(store.shape().runs().getLast().id()).isEqualTo(Levels.runOf(Levels.LAST));
        assertThat(store.shape().runs().getLast().tables()).isEqualTo(first.tables());
    }

    @Test
    void aMergeReplacesItsInputsAndLeavesTheTablesBesideThem() {
        SimulatedStore store = new SimulatedStore(1, TABLE_RECORDS);
        store.flush(puts(1, 2, 5, 6, 8, 9));
        rest(store);
        store.flush(new int[] {SimulatedTable.put(5), SimulatedTable.deletion(6)});
        rest(store);

        assertThat(store.shape().runs()).hasSize(1);
        assertThat(store.shape().bytes()).isEqualTo(5);
        assertThat(store.find(1)).isEqualTo(SimulatedTable.put(1));
        assertThat(store.find(5)).isEqualTo(SimulatedTable.put(5));
        assertThat(store.find(6)).as("a deletion beneath which nothing lies").isNull();
        assertThat(store.find(7)).isNull();
        assertThat(store.find(9)).isEqualTo(SimulatedTable.put(9));
    }

    private static void rest(SimulatedStore store) {
        Leveled picker = new Leveled(1, 2, 10);
        for (CompactionPlan choice = picker.pick(store.shape(), Set.of(), 0);
                !(choice instanceof CompactionPlan.Rest);
                choice = picker.pick(store.shape(), Set.of(), 0)) {
            store.finish(store.begin(choice));
        }
    }

    private static int[] puts(int... keys) {
        int[] records = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            records[i] = SimulatedTable.put(keys[i]);
        }
        return records;
    }
}
