package kvant.lsm.compaction;

import static kvant.lsm.compaction.Shapes.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import kvant.lsm.value.ValueReference;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.junit.jupiter.api.Test;

class LeveledTest {

    private static final long NOW = 1_000;

    /// Level 0 is merged at two runs; the base holds 100 bytes, and each level ten times the one above.
    private static final Leveled PICKER = new Leveled(2, 100, 10);

    private static final Set<Long> NONE = Set.of();

    /// So that the tree has the same shape wherever values lie, and its merges cost the less.
    @Test
    void levelsCountTheValuesThatTheirTablesReferTo() {
        TableShape inline = table(1, 0, 9, 101);
        TableShape pointers = new TableShape(
                1, Shapes.key(0), Shapes.key(9), 1, 100, 0, 0, 0, List.of(new ValueReference(7, 100, 100)));
        Leveled.Targets targets = PICKER.targets(new Shape(List.of(level(6, pointers))));
        assertThat(targets.base())
                .isEqualTo(PICKER.targets(new Shape(List.of(level(6, inline)))).base());
        assertThat(targets.bytes()[6]).isEqualTo(101);
    }

    /// The bytes beneath it may be garbage that is not known yet.
    @Test
    void levelZeroIsMergedSoonerWhileItRefersToALargePartOfAllValues() {
        assertThat(PICKER.pick(withValuesAbove(8, 57), NONE, NOW)).isEqualTo(CompactionPlan.REST);
        assertThat(PICKER.pick(withValuesAbove(8, 56), NONE, NOW)).isInstanceOf(CompactionPlan.Merge.class);
    }

    private static Shape withValuesAbove(long zeroBytes, long lastBytes) {
        TableShape zero = new TableShape(
                9, Shapes.key(0), Shapes.key(9), 1, 100, 0, 0, 0, List.of(new ValueReference(7, 1, zeroBytes)));
        TableShape last = new TableShape(
                1, Shapes.key(0), Shapes.key(9), 1, 100, 0, 0, 0, List.of(new ValueReference(6, 1, lastBytes)));
        return new Shape(List.of(new RunShape(Levels.newestRun(9), List.of(zero)), level(6, last)));
    }

    @Test
    void anEmptyStoreAndASingleFlushRest() {
        assertThat(PICKER.pick(new Shape(List.of()), NONE, NOW)).isEqualTo(CompactionPlan.REST);
        assertThat(PICKER.pick(new Shape(List.of(flushed(1, 0, 9))), NONE, NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void theFirstFlushIsMovedToTheLastLevelAsItIs() {
        Shape shape = new Shape(List.of(flushed(2, 0, 9), flushed(1, 0, 9)));
        assertThat(PICKER.pick(shape, NONE, NOW)).isEqualTo(new CompactionPlan.Move(List.of(1L), Levels.runOf(6)));
    }

    @Test
    void allOfLevelZeroGoesIntoWhatItOverlapsOfTheBase() {
        Shape shape = new Shape(List.of(
                flushed(9, 15, 25),
                flushed(8, 30, 35),
                level(6, table(1, 0, 9, 10), table(2, 10, 19, 10), table(3, 20, 29, 10), table(4, 40, 49, 10))));
        assertThat(PICKER.pick(shape, NONE, NOW))
                .isEqualTo(new CompactionPlan.Move(List.of(8L), Levels.runOf(6))); // the older one overlaps nothing
        Shape overlapping = new Shape(List.of(
                flushed(9, 15, 25),
                flushed(8, 27, 35),
                level(6, table(1, 0, 9, 10), table(2, 10, 19, 10), table(3, 20, 29, 10), table(4, 40, 49, 10))));
        assertThat(PICKER.pick(overlapping, NONE, NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(9L)),
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L)),
                                new CompactionPlan.Input(Levels.runOf(6), List.of(2L, 3L))),
                        Levels.runOf(6)));
    }

    /// The base holds 10 of the last level's 1000 bytes: half of 100 bytes are worth a merge.
    @Test
    void levelZeroIsGatheredUntilThereIsEnoughOfIt() {
        RunShape base = level(5, table(2, 0, 9, 10));
        RunShape last = level(6, table(1, 0, 9, 1_000));
        assertThat(PICKER.pick(new Shape(List.of(flushed(9, 0, 9), flushed(8, 0, 9), base, last)), NONE, NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(9L)),
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L))),
                        Levels.newestRun(8)));
        assertThat(PICKER.pick(new Shape(List.of(flushed(9, 0, 9), gathered(8, 39), base, last)), NONE, NOW))
                .as("a run is not rewritten for one that is much smaller")
                .isEqualTo(CompactionPlan.REST);
        assertThat(outputOf(new Shape(List.of(flushed(9, 0, 9), gathered(8, 40), base, last))))
                .isEqualTo(Levels.runOf(5));
    }

    @Test
    void aSingleRunOfLevelZeroIsNotGathered() {
        RunShape base = level(5, table(2, 0, 9, 10));
        RunShape last = level(6, table(1, 0, 9, 1_000));
        assertThat(new Leveled(1, 100, 10).pick(new Shape(List.of(flushed(9, 0, 9), base, last)), NONE, NOW))
                .isEqualTo(CompactionPlan.REST);
    }

    @Test
    void levelZeroIsMergedAnywayWhenItHasTwiceAsManyRuns() {
        RunShape base = level(5, table(2, 0, 9, 10));
        RunShape last = level(6, table(1, 0, 9, 1_000));
        RunShape small = gathered(9, 1);
        assertThat(outputOf(new Shape(List.of(small, gathered(8, 3), gathered(7, 7), gathered(6, 15), base, last))))
                .isEqualTo(Levels.runOf(5));
    }

    /// Data that level 0 overwrites is dead in the last level.
    @Test
    void levelZeroOfASmallStoreIsNotGathered() {
        RunShape base = level(5, table(2, 0, 9, 10));
        assertThat(outputOf(
                        new Shape(List.of(flushed(9, 0, 9), flushed(8, 0, 9), base, level(6, table(1, 0, 9, 104))))))
                .isEqualTo(Levels.runOf(5));
    }

    private static long outputOf(Shape shape) {
        return ((CompactionPlan.Merge) PICKER.pick(shape, NONE, NOW)).outputRun();
    }

    private static RunShape gathered(long number, long bytes) {
        return new RunShape(Levels.newestRun(number), List.of(table(number, 0, 9, bytes)));
    }

    /// The data that they hide takes room, even without further writes.
    @Test
    void levelZeroOfMostlyDeletionsIsMergedAtOnce() {
        RunShape last = level(6, table(1, 0, 9, 10), table(2, 10, 19, 10));
        Shape deleted = new Shape(List.of(deletions(8, 51), last));
        Shape written = new Shape(List.of(deletions(8, 50), last));

        assertThat(PICKER.pick(deleted, NONE, NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L)),
                                new CompactionPlan.Input(Levels.runOf(6), List.of(1L))),
                        Levels.runOf(6)));
        assertThat(PICKER.pick(deleted, Set.of(1L), NOW)).isEqualTo(CompactionPlan.REST);
        assertThat(PICKER.pick(written, NONE, NOW)).isEqualTo(CompactionPlan.REST);
    }

    private static RunShape deletions(long number, long count) {
        TableShape whole = table(number, 2, 8, 1);
        TableShape table = new TableShape(
                number,
                whole.smallestKey(),
                whole.largestKey(),
                whole.bytes(),
                whole.records(),
                count,
                0,
                0,
                List.of());
        return new RunShape(Levels.newestRun(number), List.of(table));
    }

    @Test
    void theBaseRisesAsTheDataGrows() {
        assertThat(PICKER.targets(new Shape(List.of(level(6, table(1, 0, 9, 100)))))
                        .base())
                .isEqualTo(6);
        Leveled.Targets larger = PICKER.targets(new Shape(List.of(level(6, table(1, 0, 9, 101)))));
        assertThat(larger.base()).isEqualTo(5);
        assertThat(larger.bytes()).isEqualTo(new long[] {0, 0, 0, 0, 0, 10, 101});
        Leveled.Targets large = PICKER.targets(new Shape(List.of(level(6, table(1, 0, 9, 90_000)))));
        assertThat(large.base()).isEqualTo(3);
        assertThat(large.bytes()).isEqualTo(new long[] {0, 0, 0, 90, 900, 9_000, 90_000});
    }

    @Test
    void levelZeroNeverPassesALevelThatHoldsSomething() {
        Shape shape = new Shape(
                List.of(flushed(9, 0, 9), flushed(8, 0, 9), level(3, table(2, 5, 7, 1)), level(6, table(1, 0, 9, 50))));
        assertThat(PICKER.targets(shape).base()).isEqualTo(3);
        Shape onlyZeroIsUrgent = new Shape(List.of(
                flushed(9, 0, 9),
                flushed(8, 0, 9),
                flushed(7, 0, 9),
                level(5, table(2, 5, 7, 10)),
                level(6, table(1, 0, 9, 150))));
        assertThat(((CompactionPlan.Merge) PICKER.pick(onlyZeroIsUrgent, NONE, NOW)).outputRun())
                .isEqualTo(Levels.runOf(5));
    }

    @Test
    void aLevelAboveItsSizeGivesTheTableThatOverlapsLeast() {
        Shape shape = new Shape(List.of(
                level(5, table(1, 0, 19, 40), table(2, 20, 29, 40), table(3, 40, 49, 40)),
                level(6, table(4, 0, 9, 200), table(5, 10, 19, 200), table(6, 20, 29, 200), table(7, 30, 45, 300))));
        assertThat(PICKER.pick(shape, NONE, NOW)).isEqualTo(down(5, List.of(2L), List.of(6L)));
        assertThat(PICKER.pick(shape, Set.of(2L), NOW)).isEqualTo(down(5, List.of(3L), List.of(7L)));
        assertThat(PICKER.pick(shape, Set.of(2L, 7L), NOW)).isEqualTo(down(5, List.of(1L), List.of(4L, 5L)));
        assertThat(PICKER.pick(shape, Set.of(2L, 7L, 5L), NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void aTableThatOverlapsNothingBelowIsMoved() {
        Shape shape = new Shape(
                List.of(level(5, table(1, 0, 19, 80), table(2, 20, 29, 80)), level(6, table(4, 0, 9, 1_000))));
        assertThat(PICKER.pick(shape, NONE, NOW)).isEqualTo(new CompactionPlan.Move(List.of(2L), Levels.runOf(6)));
    }

    @Test
    void theWorstLevelIsServedFirst() {
        Shape shape = new Shape(List.of(
                flushed(19, 0, 99),
                flushed(18, 0, 99),
                level(4, table(1, 0, 9, 25)),
                level(5, table(2, 0, 9, 1_000)),
                level(6, table(3, 0, 9, 1_010))));
        assertThat(PICKER.targets(shape).bytes()).isEqualTo(new long[] {0, 0, 0, 0, 10, 101, 1_010});
        assertThat(PICKER.pick(shape, NONE, NOW)).isEqualTo(down(5, List.of(2L), List.of(3L)));
        assertThat(PICKER.pick(shape, Set.of(3L), NOW)).isEqualTo(down(4, List.of(1L), List.of(2L)));
    }

    @Test
    void levelZeroWaitsWhileItsTablesOrThoseBeneathAreBusy() {
        Shape shape = new Shape(List.of(flushed(9, 0, 9), flushed(8, 0, 9), level(6, table(1, 0, 9, 10))));
        assertThat(PICKER.pick(shape, Set.of(9L), NOW)).isEqualTo(CompactionPlan.REST);
        assertThat(PICKER.pick(shape, Set.of(1L), NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void levelZeroIsMergedWithinItselfWhileATableBeneathIsDamaged() {
        Shape shape = new Shape(List.of(flushed(9, 0, 9), flushed(8, 0, 9), level(6, table(1, 0, 9, 10))));
        assertThat(PICKER.pick(shape, NONE, Set.of(1L), NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(9L)),
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L))),
                        Levels.newestRun(8)));
        assertThat(PICKER.pick(shape, Set.of(8L), Set.of(1L), NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void fromTheOldestRunGoesDownWhatOverlapsNothingDamaged() {
        RunShape oldest = new RunShape(Levels.newestRun(8), List.of(table(8, 0, 4, 10), table(7, 5, 9, 10)));
        RunShape base = level(6, table(1, 0, 4, 20), table(2, 5, 9, 20));
        Shape shape = new Shape(List.of(flushed(9, 0, 9), oldest, base));
        assertThat(PICKER.pick(shape, NONE, Set.of(2L), NOW)).isEqualTo(beneath(8, 8, 1));
        assertThat(PICKER.pick(shape, NONE, Set.of(8L), NOW)).isEqualTo(beneath(8, 7, 2));
        assertThat(PICKER.pick(shape, Set.of(8L), Set.of(2L), NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void noRunPassesOneThatIsDamaged() {
        Shape shape = new Shape(List.of(
                flushed(9, 0, 9), flushed(8, 0, 9), flushed(7, 0, 9), flushed(6, 0, 9), level(6, table(1, 0, 9, 50))));
        assertThat(PICKER.pick(shape, NONE, Set.of(7L, 1L), NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(9), List.of(9L)),
                                new CompactionPlan.Input(Levels.newestRun(8), List.of(8L))),
                        Levels.newestRun(8)));
        assertThat(PICKER.pick(shape, NONE, Set.of(8L, 1L), NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(
                                new CompactionPlan.Input(Levels.newestRun(7), List.of(7L)),
                                new CompactionPlan.Input(Levels.newestRun(6), List.of(6L))),
                        Levels.newestRun(6)));
    }

    @Test
    void mostlyDeletedTablesAreTakenDownUntilNothingOlderIsBeneath() {
        TableShape deleted = new TableShape(7, Shapes.key(3), Shapes.key(5), 1, 100, 51, 0, 0, List.of());
        RunShape large = level(6, table(9, 500, 900, 20_000));
        assertThat(PICKER.pick(new Shape(List.of(level(4, deleted), level(5, table(1, 0, 9, 10)), large)), NONE, NOW))
                .isEqualTo(down(4, List.of(7L), List.of(1L)));
        assertThat(PICKER.pick(new Shape(List.of(level(5, deleted, table(8, 6, 7, 9)), large)), NONE, NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(new CompactionPlan.Input(Levels.runOf(5), List.of(7L))), Levels.runOf(5)));
        TableShape halfDeleted = new TableShape(7, Shapes.key(3), Shapes.key(5), 1, 100, 50, 0, 0, List.of());
        assertThat(PICKER.pick(new Shape(List.of(level(6, halfDeleted))), NONE, NOW))
                .isEqualTo(CompactionPlan.REST);
    }

    @Test
    void tablesOfWhichMuchHasExpiredAreWrittenAnewInTheirPlace() {
        TableShape expired = new TableShape(7, Shapes.key(3), Shapes.key(5), 100, 100, 0, 25, NOW, List.of());
        assertThat(PICKER.pick(new Shape(List.of(level(6, table(8, 0, 2, 9), expired))), NONE, NOW))
                .isEqualTo(new CompactionPlan.Merge(
                        List.of(new CompactionPlan.Input(Levels.runOf(6), List.of(7L))), Levels.runOf(6)));
        assertThat(PICKER.pick(new Shape(List.of(level(6, expired))), Set.of(7L), NOW))
                .isEqualTo(CompactionPlan.REST);
        TableShape later = new TableShape(7, Shapes.key(3), Shapes.key(5), 100, 100, 0, 25, NOW + 1, List.of());
        assertThat(PICKER.pick(new Shape(List.of(level(6, later))), NONE, NOW)).isEqualTo(CompactionPlan.REST);
        TableShape little = new TableShape(7, Shapes.key(3), Shapes.key(5), 100, 100, 0, 24, NOW, List.of());
        assertThat(PICKER.pick(new Shape(List.of(level(6, little))), NONE, NOW)).isEqualTo(CompactionPlan.REST);
        TableShape none = new TableShape(7, Shapes.key(3), Shapes.key(5), 0, 100, 0, 0, 0, List.of());
        assertThat(PICKER.pick(new Shape(List.of(level(6, none))), NONE, NOW)).isEqualTo(CompactionPlan.REST);
        assertThat(Universal.DEFAULT.pick(new Shape(List.of(level(6, expired))), NONE, NOW))
                .isInstanceOf(CompactionPlan.Merge.class);
    }

    @Test
    void debtIsWhatLiesAboveTheSizes() {
        assertThat(PICKER.debtBytes(new Shape(List.of(flushed(9, 0, 9))))).isZero();
        assertThat(PICKER.debtBytes(new Shape(List.of(flushed(9, 0, 9), flushed(8, 0, 9)))))
                .isEqualTo(20);
        assertThat(PICKER.debtBytes(new Shape(List.of(level(5, table(1, 0, 9, 120)), level(6, table(2, 0, 9, 1_000))))))
                .isEqualTo(20);
    }

    @Test
    void boundsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Leveled(0, 1, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Leveled(1, 0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Leveled(1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static CompactionPlan down(int level, List<Long> tables, List<Long> beneath) {
        return new CompactionPlan.Merge(
                List.of(
                        new CompactionPlan.Input(Levels.runOf(level), tables),
                        new CompactionPlan.Input(Levels.runOf(level + 1), beneath)),
                Levels.runOf(level + 1));
    }

    private static CompactionPlan beneath(long run, long table, long beneath) {
        return new CompactionPlan.Merge(
                List.of(
                        new CompactionPlan.Input(Levels.newestRun(run), List.of(table)),
                        new CompactionPlan.Input(Levels.runOf(6), List.of(beneath))),
                Levels.runOf(6));
    }

    private static RunShape flushed(long number, int smallest, int largest) {
        return new RunShape(Levels.newestRun(number), List.of(table(number, smallest, largest, 10)));
    }

    private static RunShape level(int level, TableShape... tables) {
        return new RunShape(Levels.runOf(level), Arrays.asList(tables));
    }
}
