package kvant.lsm.compaction;

import static kvant.lsm.compaction.Shapes.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import org.junit.jupiter.api.Test;

class OutputRangeTest {

    private static final long FIVE = Levels.runOf(5);
    private static final long SIX = Levels.runOf(6);

    /// Two tables with a gap in each level, and one that was brought into the gap of the upper one.
    private static final Shape SHAPE = new Shape(List.of(
            new RunShape(FIVE, List.of(table(2, 0, 9, 100), table(8, 12, 15, 100), table(3, 20, 29, 100))),
            new RunShape(SIX, List.of(table(5, 0, 9, 100), table(6, 20, 29, 100)))));

    private static final CompactionPlan MERGE = new CompactionPlan.Merge(
            List.of(new CompactionPlan.Input(FIVE, List.of(2L, 3L)), new CompactionPlan.Input(SIX, List.of(5L, 6L))),
            SIX);

    @Test
    void pickersDoNotSeeThatAMergeMayWriteAcrossAGap() {
        CompactionPlan move = new Leveled(2, 999, 2).pick(SHAPE, Set.of(2L, 3L, 5L, 6L), 0);
        assertThat(move).isEqualTo(new CompactionPlan.Move(List.of(8L), SIX));
        assertThat(range(move).overlaps(range(MERGE))).isTrue();
        assertThat(range(MERGE).overlaps(range(move))).isTrue();
    }

    @Test
    void isAsWideAsAllInputsTogether() {
        OutputRange range = range(MERGE);
        assertThat(range.run()).isEqualTo(SIX);
        assertThat(Shapes.number(range.smallest())).isZero();
        assertThat(Shapes.number(range.largest())).isEqualTo(29);
        Shape wideAbove = new Shape(List.of(
                new RunShape(FIVE, List.of(table(2, 5, 40, 100))), new RunShape(SIX, List.of(table(5, 10, 20, 100)))));
        CompactionPlan merge = new CompactionPlan.Merge(
                List.of(new CompactionPlan.Input(FIVE, List.of(2L)), new CompactionPlan.Input(SIX, List.of(5L))), SIX);
        OutputRange wide = OutputRange.of(wideAbove, merge);
        assertThat(Shapes.number(wide.smallest())).isEqualTo(5);
        assertThat(Shapes.number(wide.largest())).isEqualTo(40);
    }

    @Test
    void rangesThatShareAKeyOverlapAndNeighboursDoNot() {
        OutputRange range = new OutputRange(SIX, Shapes.key(10), Shapes.key(19));
        assertThat(range.overlaps(new OutputRange(SIX, Shapes.key(19), Shapes.key(30))))
                .isTrue();
        assertThat(range.overlaps(new OutputRange(SIX, Shapes.key(0), Shapes.key(10))))
                .isTrue();
        assertThat(range.overlaps(new OutputRange(SIX, Shapes.key(20), Shapes.key(30))))
                .isFalse();
        assertThat(range.overlaps(new OutputRange(SIX, Shapes.key(0), Shapes.key(9))))
                .isFalse();
        assertThat(range.overlaps(new OutputRange(SIX, Shapes.key(0), Shapes.key(30))))
                .isTrue();
        assertThat(range.overlaps(new OutputRange(FIVE, Shapes.key(10), Shapes.key(19))))
                .isFalse();
    }

    private static OutputRange range(CompactionPlan choice) {
        return OutputRange.of(SHAPE, choice);
    }
}
