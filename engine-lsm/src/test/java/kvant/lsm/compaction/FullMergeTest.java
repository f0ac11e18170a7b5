package kvant.lsm.compaction;

import static kvant.lsm.compaction.Shapes.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.junit.jupiter.api.Test;

class FullMergeTest {

    private static final Set<Long> NONE = Set.of();
    private static final long LAST = Levels.runOf(6);

    @Test
    void aSmallStoreIsOnePart() {
        Shape shape = new Shape(List.of(flushed(9, 10), flushed(8, 10), level(6, table(1, 0, 9, 10))));
        FullMerge merge = new FullMerge(30, LAST, shape);
        assertThat(merge.largestPartBytes(shape)).isEqualTo(30);
        assertThat(merge.next(shape, NONE, NONE))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(9L)),
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L)),
                                new CompactionPlan.Input(LAST, List.of(1L))),
                        LAST));
        merge.partDone();
        assertThat(merge.doneBytes()).isEqualTo(30);
        assertEnds(merge, new Shape(List.of(level(6, table(10, 0, 9, 10)))));
    }

    /// Where another merge is in its way, for as long as that takes.
    @Test
    void aGatherThatCannotBeginIsChosenAgain() {
        Shape shape = new Shape(List.of(flushed(9, 10), flushed(8, 10)));
        FullMerge merge = new FullMerge(30, LAST, shape);
        CompactionPlan gather = merge.next(shape, NONE, NONE);
        assertThat(gather).isInstanceOf(CompactionPlan.Merge.class);
        for (int i = 0; i < 5; i++) {
            assertThat(merge.next(shape, NONE, NONE)).isEqualTo(gather);
        }
    }

    /// One that leaves as much as it was given would be done for ever.
    @Test
    void noMoreIsGatheredThanThereWereRunsAtTheBeginning() {
        Shape shape = new Shape(List.of(flushed(9, 10), flushed(8, 10)));
        FullMerge merge = new FullMerge(30, LAST, shape);
        for (int i = 0; i < 2; i++) {
            assertThat(((CompactionPlan.Merge) merge.next(shape, NONE, NONE)).inputs())
                    .hasSize(2);
            merge.partDone();
        }
        assertThat(((CompactionPlan.Merge) merge.next(shape, NONE, NONE)).outputRun())
                .as("it descends")
                .isEqualTo(Levels.newestRun(8));
    }

    @Test
    void aRunGoesIntoTheNextOlderOneKeyRangeByKeyRange() {
        RunShape five = level(5, table(2, 0, 9, 10), table(3, 20, 29, 10), table(4, 40, 49, 10));
        RunShape six = level(6, table(5, 0, 9, 60), table(6, 20, 29, 60));
        FullMerge merge = new FullMerge(100, LAST, new Shape(List.of(five, six)));
        assertThat(merge.leftBytes(new Shape(List.of(five, six)))).isEqualTo(150);
        assertThat(merge.next(new Shape(List.of(five, six)), NONE, NONE)).isEqualTo(into6(2, 5));
        assertThat(merge.next(new Shape(List.of(five, six)), NONE, NONE))
                .as("until it is done")
                .isEqualTo(into6(2, 5));
        merge.partDone();
        RunShape left = level(5, table(3, 20, 29, 10), table(4, 40, 49, 10));
        Shape second = new Shape(List.of(left, level(6, table(7, 0, 9, 65), table(6, 20, 29, 60))));
        assertThat(merge.next(second, Set.of(6L), NONE)).as("it waits").isEqualTo(CompactionPlan.REST);
        assertThat(merge.isDone()).isFalse();
        assertThat(merge.next(second, NONE, NONE))
                .as("as much as a part may hold")
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.runOf(5), List.of(3L, 4L)),
                                new CompactionPlan.Input(LAST, List.of(6L))),
                        LAST));
    }

    @Test
    void whatIsBroughtBehindItsPlaceIsLeftAlone() {
        RunShape five = level(5, table(2, 10, 19, 10));
        RunShape six = level(6, table(5, 0, 9, 99), table(6, 10, 29, 99));
        FullMerge merge = new FullMerge(100, LAST, new Shape(List.of(five, six)));
        assertThat(merge.next(new Shape(List.of(five, six)), NONE, NONE)).isEqualTo(into6(2, 6));
        merge.partDone();
        RunShape brought = level(5, table(8, 0, 19, 10));
        assertEnds(merge, new Shape(List.of(flushed(30, 10), brought, six)));
    }

    @Test
    void aTableThatOverlapsTooMuchIsCutFirst() {
        RunShape wide = flushed(9, 10);
        RunShape six = level(6, table(1, 0, 1, 40), table(2, 2, 3, 40), table(3, 4, 5, 40), table(4, 6, 9, 40));
        FullMerge merge = new FullMerge(100, LAST, new Shape(List.of(wide, six)));
        CompactionPlan.Merge cut = (CompactionPlan.Merge) merge.next(new Shape(List.of(wide, six)), NONE, NONE);
        assertThat(cut.outputRun()).isEqualTo(Levels.newestRun(9));
        assertThat(cut.tables()).containsExactly(9L);
        assertThat(cut.cuts().stream().map(Shapes::number)).containsExactly(2, 4, 6);
        merge.partDone();
        RunShape narrow = new RunShape(Levels.newestRun(9), List.of(table(10, 0, 1, 3), table(11, 2, 5, 3)));
        assertThat(merge.next(new Shape(List.of(narrow, six)), NONE, NONE))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(10L)),
                                new CompactionPlan.Input(LAST, List.of(1L))),
                        LAST));
    }

    @Test
    void ofOneRunOnlyTablesWithDeletionsAreWrittenAnew() {
        TableShape deletions = new TableShape(7, Shapes.key(10), Shapes.key(19), 5, 100, 1, 0, 0, List.of());
        RunShape run = level(6, table(1, 0, 9, 10), deletions, table(2, 20, 29, 10));
        FullMerge merge = new FullMerge(100, LAST, new Shape(List.of(run)));
        assertThat(merge.next(new Shape(List.of(run)), NONE, NONE))
                .isEqualTo(new CompactionPlan.Merge(List.of(new CompactionPlan.Input(LAST, List.of(7L))), LAST));
        merge.partDone();
        assertEnds(merge, new Shape(List.of(level(6, table(1, 0, 9, 10), table(8, 10, 18, 4)))));
    }

    @Test
    void theOnlyRunIsMovedToTheLastLevelWhereThereAreLevels() {
        Shape shape = new Shape(List.of(flushed(9, 10)));
        assertThat(new FullMerge(100, LAST, shape).next(shape, NONE, NONE))
                .isEqualTo(new CompactionPlan.Move(List.of(9L), LAST));
        assertEnds(new FullMerge(100, 0, shape), shape);
        assertEnds(new FullMerge(100, LAST, new Shape(List.of())), new Shape(List.of()));
    }

    @Test
    void damagedTablesAreLeftOutAndNothingElse() {
        RunShape five = level(5, table(2, 0, 9, 10), table(3, 20, 29, 10));
        RunShape six = level(6, table(5, 0, 9, 95), table(6, 20, 29, 80));
        Shape shape = new Shape(List.of(five, six));
        FullMerge merge = new FullMerge(100, LAST, shape);
        assertThat(merge.next(shape, NONE, Set.of(5L))).isEqualTo(into6(3, 6));
        merge.partDone();
        assertEnds(merge, new Shape(List.of(level(5, table(2, 0, 9, 10)), six)));
        assertThat(merge.hasSkipped()).isTrue();
    }

    private static void assertEnds(FullMerge merge, Shape shape) {
        assertThat(merge.next(shape, NONE, NONE)).isEqualTo(CompactionPlan.REST);
        assertThat(merge.isDone()).isTrue();
    }

    private static CompactionPlan into6(long table, long beneath) {
        return new CompactionPlan.Merge(
                List.of(
                        new CompactionPlan.Input(Levels.runOf(5), List.of(table)),
                        new CompactionPlan.Input(LAST, List.of(beneath))),
                LAST);
    }

    private static RunShape flushed(long number, long bytes) {
        return new RunShape(Levels.newestRun(number), List.of(table(number, 0, 9, bytes)));
    }

    private static RunShape level(int level, TableShape... tables) {
        return new RunShape(Levels.runOf(level), Arrays.asList(tables));
    }
}
