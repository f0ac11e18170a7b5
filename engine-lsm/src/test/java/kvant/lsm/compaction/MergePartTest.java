package kvant.lsm.compaction;

import static kvant.lsm.compaction.Shapes.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.junit.jupiter.api.Test;

/// Into which parts a merge is split.
class MergePartTest {

    private static final long FLUSHED = Levels.newestRun(9);
    private static final long LAST = Levels.runOf(6);

    @Test
    void partsHaveTheTablesOfTheOutputInTurnAndAllKeys() {
        Shape shape = shape(table(1, 0, 9, 10), table(2, 10, 19, 10), table(3, 20, 29, 10), table(4, 30, 39, 10));
        List<MergePart> parts = MergePart.split(shape, merge(shape), 2, 1);
        assertThat(parts.stream().map(MergePart::replaced)).containsExactly(List.of(1L, 2L), List.of(3L, 4L));
        assertThat(parts.getFirst().from()).isEmpty();
        assertThat(parts.getFirst().to()).isEqualTo(Shapes.key(20));
        assertThat(parts.getLast().from()).isEqualTo(Shapes.key(20));
        assertThat(parts.getLast().to()).isNull();
        assertThat(parts).noneMatch(MergePart::isWhole);
        assertThat(CompactionJob.end(merge(shape), parts).removedTables()).containsExactly(9L);
    }

    @Test
    void partsAreOfAboutOneSize() {
        Shape shape = shape(
                table(1, 0, 9, 50),
                table(2, 10, 19, 10),
                table(3, 20, 29, 10),
                table(4, 30, 39, 10),
                table(5, 40, 49, 20));
        assertThat(MergePart.split(shape, merge(shape), 2, 1).stream().map(MergePart::replaced))
                .containsExactly(List.of(1L), List.of(2L, 3L, 4L, 5L));
        assertThat(MergePart.split(shape, merge(shape), 9, 1).stream().map(MergePart::replaced))
                .containsExactly(List.of(1L), List.of(2L), List.of(3L), List.of(4L), List.of(5L));
    }

    @Test
    void everyTableIsInOnePartHoweverLargeTheyAre() {
        long[][] sizes = {{1, 1, 1, 100}, {100, 1, 1, 1}, {1, 100, 1, 100, 1, 1, 1}, {7, 7, 7, 7, 7, 7, 7, 7}};
        for (long[] bytes : sizes) {
            for (int most = 2; most <= bytes.length + 1; most++) {
                List<TableShape> tables = new ArrayList<>();
                for (int i = 0; i < bytes.length; i++) {
                    tables.add(table(i + 1, 10 * i, 10 * i + 9, bytes[i]));
                }
                Shape shape = shape(tables.toArray(TableShape[]::new));
                List<MergePart> parts = MergePart.split(shape, merge(shape), most, 1);
                assertThat(parts).hasSize(Math.min(most, bytes.length));
                assertThat(parts).allMatch(part -> !part.replaced().isEmpty());
                assertThat(parts.stream().flatMap(part -> part.replaced().stream()))
                        .containsExactlyElementsOf(
                                tables.stream().map(TableShape::number).toList());
            }
        }
    }

    @Test
    void aMergeOfLittleIsNotSplit() {
        Shape shape = shape(table(1, 0, 9, 10), table(2, 10, 19, 10));
        List<MergePart> parts = MergePart.split(shape, merge(shape), 4, 16);
        assertThat(parts).singleElement().matches(MergePart::isWhole);
        assertThat(parts.getFirst().replaced()).containsExactly(9L, 1L, 2L);
        assertThat(parts.getFirst().bytes()).isEqualTo(30);
        assertThat(CompactionJob.end(merge(shape), parts)).isNull();
        assertThat(MergePart.split(shape, merge(shape), 4, 15)).hasSize(2);
        assertThat(MergePart.split(shape, merge(shape), 1, 1)).hasSize(1);
    }

    /// The tables of a run must not overlap, not even for a moment.
    @Test
    void aMergeIntoARunThatItDoesNotReadIsNotSplit() {
        Shape shape = shape(table(1, 0, 9, 10), table(2, 10, 19, 10));
        CompactionPlan.Merge elsewhere = new CompactionPlan.Merge(merge(shape).inputs(), FLUSHED);
        assertThat(MergePart.split(shape, elsewhere, 4, 1)).hasSize(1);
        CompactionPlan.Merge alone =
                new CompactionPlan.Merge(List.of(merge(shape).inputs().getLast()), LAST);
        assertThat(MergePart.split(shape, alone, 4, 1)).hasSize(1);
    }

    private static Shape shape(TableShape... last) {
        RunShape flushed = new RunShape(FLUSHED, List.of(table(9, 0, 99, 10)));
        return new Shape(List.of(flushed, new RunShape(LAST, Arrays.asList(last))));
    }

    private static CompactionPlan.Merge merge(Shape shape) {
        return new CompactionPlan.Merge(
                shape.runs().stream().map(CompactionPlan.Input::of).toList(), LAST);
    }
}
