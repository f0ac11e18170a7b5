package kvant.lsm.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import kvant.lsm.value.ValueReference;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import kvant.lsm.version.Shape.ValueShape;
import org.junit.jupiter.api.Test;

/// The choice of value files to empty, and of tables to rewrite for it.
class ValueGarbageTest {

    private static final Set<Long> NONE = Set.of();
    private static final ValueGarbage HALF = new ValueGarbage(1.5);
    private static final long RUN = Levels.runOf(6);

    @Test
    void nothingIsEmptiedUpToTheBound() {
        Shape atBound = shape(List.of(file(100, 150)), table(1, 1, ref(100, 100)));
        assertThat(HALF.excessBytes(atBound)).isZero();
        assertThat(HALF.victims(atBound, NONE)).isEmpty();
        assertThat(HALF.pick(atBound, NONE, NONE)).isEqualTo(CompactionPlan.REST);
        assertThat(HALF.victims(shape(List.of()), NONE)).isEmpty();
    }

    @Test
    void asFewFilesAsBringItUnderTheBoundAndThoseWithTheLargestSharesOfGarbage() {
        Shape shape = shape(
                List.of(file(100, 100), file(101, 100), file(102, 1_000), file(103, 400)),
                table(1, 1, ref(100, 90), ref(101, 20), ref(102, 600), ref(103, 300)));
        // 1,600 bytes of which 1,010 are live: 85 too many. File 101 has 80 of garbage, 102 400.
        assertThat(HALF.excessBytes(shape)).isEqualTo(85);
        assertThat(HALF.victims(shape, NONE)).containsExactlyInAnyOrder(101L, 102L);
        assertThat(HALF.victims(shape, Set.of(102L))).containsExactlyInAnyOrder(101L, 103L);
    }

    /// A file that is half emptied stays chosen, with what the values that were moved take now.
    @Test
    void whatHasBegunGoesOn() {
        Shape before = shape(
                List.of(file(100, 1_000), file(101, 1_000)),
                table(1, 1, ref(100, 200), ref(101, 500)),
                table(2, 1, ref(100, 200), ref(101, 400)));
        assertThat(HALF.victims(before, NONE)).containsExactly(100L);
        Shape between = shape(
                List.of(file(100, 1_000), file(101, 1_000), file(102, 200)),
                table(3, 1, ref(102, 200), ref(101, 500)),
                table(2, 1, ref(100, 200), ref(101, 400)));
        assertThat(HALF.victims(between, NONE)).containsExactly(100L);
    }

    @Test
    void theTableThatFreesMostIsWrittenAnewInItsPlace() {
        Shape shape = shape(
                List.of(file(100, 1_000), file(101, 1_000)),
                table(1, 10, ref(101, 900)),
                table(2, 10, ref(100, 50)),
                table(3, 10, ref(100, 100)));
        assertThat(HALF.pick(shape, NONE, NONE)).isEqualTo(rewritten(3));
        assertThat(HALF.pick(shape, Set.of(3L), NONE)).isEqualTo(rewritten(2));
        assertThat(HALF.pick(shape, NONE, Set.of(3L))).isEqualTo(rewritten(2));
        assertThat(HALF.pick(shape, Set.of(2L, 3L), NONE)).isEqualTo(CompactionPlan.REST);
    }

    /// Otherwise tables would be written again and again for a little garbage.
    @Test
    void tablesAreNotWrittenForLessThanTheyAre() {
        List<ValueShape> files = List.of(file(100, 1_000));
        assertThat(HALF.pick(shape(files, table(1, 225, ref(100, 100))), NONE, NONE))
                .isEqualTo(rewritten(1));
        assertThat(HALF.pick(shape(files, table(1, 226, ref(100, 100))), NONE, NONE))
                .isEqualTo(CompactionPlan.REST);
    }

    @Test
    void whatAMergeMovesIsWhatItsTablesReferToOfTheFiles() {
        TableShape table = table(1, 10, ref(100, 50), ref(101, 60), ref(102, 70));
        assertThat(ValueGarbage.movedBytes(table, Set.of(100L, 102L))).isEqualTo(120);
    }

    private static CompactionPlan rewritten(long table) {
        return new CompactionPlan.Merge(List.of(new CompactionPlan.Input(RUN, List.of(table))), RUN);
    }

    private static Shape shape(List<ValueShape> files, TableShape... tables) {
        return new Shape(List.of(new RunShape(RUN, List.of(tables))), files);
    }

    private static ValueShape file(long number, long bytes) {
        return new ValueShape(number, bytes);
    }

    private static ValueReference ref(long file, long bytes) {
        return new ValueReference(file, 1, bytes);
    }

    private static TableShape table(long number, long bytes, ValueReference... references) {
        List<ValueReference> values = new ArrayList<>(List.of(references));
        return new TableShape(number, Shapes.key(0), Shapes.key(9), bytes, 10, 0, 0, 0, values);
    }
}
