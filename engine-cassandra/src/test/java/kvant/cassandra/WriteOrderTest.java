package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who may be under way beside whom.
class WriteOrderTest {

    private final WriteOrder order = new WriteOrder();
    private final List<String> gone = new ArrayList<>();

    @Test
    void ordinaryWritesGoSideBySide() {
        enter("a", false, 1);
        enter("b", false, 1);
        assertThat(gone).containsExactly("a", "b");
    }

    @Test
    void aLoneWriteWaitsForThoseBeforeItAndHoldsUpThoseAfterIt() {
        enter("a", false, 1);
        enter("b", false, 1);
        enter("lone", true, 1);
        enter("c", false, 1);
        enter("elsewhere", true, 2);
        assertThat(gone).containsExactly("a", "b", "elsewhere");
        order.leave(new int[] {1}, false);
        assertThat(gone).doesNotContain("lone");
        order.leave(new int[] {1}, false);
        assertThat(gone).endsWith("lone");
        order.leave(new int[] {1}, true);
        assertThat(gone).endsWith("c");
    }

    /// While a batch waits for one of its keys, nobody who came later passes it at another.
    @Test
    void aBatchStandsInAllItsLinesFromTheBeginning() {
        enter("two", true, 2);
        enter("batch", true, 1, 2, 3);
        enter("one", false, 1);
        enter("three", false, 3);
        assertThat(gone).containsExactly("two");
        order.leave(new int[] {2}, true);
        assertThat(gone).containsExactly("two", "batch");
        order.leave(new int[] {1, 2, 3}, true);
        assertThat(gone).containsExactly("two", "batch", "one", "three");
    }

    @Test
    void batchesWhoseLinesCrossDoNotWaitForEachOtherForEver() {
        enter("first", true, 1, 2);
        enter("second", true, 2, 3);
        enter("third", true, 1, 3);
        assertThat(gone).containsExactly("first");
        order.leave(new int[] {1, 2}, true);
        assertThat(gone).containsExactly("first", "second");
        order.leave(new int[] {2, 3}, true);
        assertThat(gone).containsExactly("first", "second", "third");
    }

    private void enter(String name, boolean alone, int... lines) {
        order.enter(lines, alone, new WriteOrder.Turn() {
            @Override
            public void placed() {}

            @Override
            public void go() {
                gone.add(name);
            }
        });
    }
}
