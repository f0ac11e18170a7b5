package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.junit.jupiter.api.Test;

/// Where tables end, of records of one byte each whose keys are 0, 1, 2 and so on.
class TableCutsTest {

    private static final int RECORDS = 40;

    @Test
    void withNothingBeneathTheSizeDecides() {
        assertThat(begins(TableCuts.bySize(15))).containsExactly(15, 30);
    }

    @Test
    void aTableBeginsAtEachKeyThatSomebodyAsksFor() {
        List<byte[]> keys = List.of(key(0), key(3), key(4), key(20));
        assertThat(begins(new TableCuts(15, keys, List.of()))).containsExactly(3, 4, 19, 20, 35);
    }

    @Test
    void fromHalfItsSizeOnATableEndsWhereOneBeneathDoes() {
        List<TableShape> beneath = tables(5, 8, 13, 21, 33);
        // 0-5 is too short; 0-8 and 9-21 are not; 22-33 likewise.
        assertThat(begins(new TableCuts(15, List.of(), beneath))).containsExactly(9, 22, 34);
    }

    @Test
    void aTableWithoutAnEndBeneathItIsCutBySize() {
        assertThat(begins(new TableCuts(10, List.of(), tables(33)))).containsExactly(10, 20, 30);
    }

    /// However few records lie over so many tables.
    @Test
    void aTableNeverOverlapsMoreThanTheBound() {
        int[] ends = new int[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            ends[i] = i;
        }
        // Each table beneath is as large as one of these may be.
        List<Integer> begins = begins(new TableCuts(1_000, List.of(), tables(1_000, ends)));
        assertThat(begins).containsExactly(10, 20, 30);
    }

    /// A run that begins in the middle of the keys does not overlap what lies before it.
    @Test
    void whatLiesBeforeTheFirstRecordDoesNotCount() {
        int[] ends = new int[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            ends[i] = i;
        }
        TableCuts cuts = new TableCuts(1_000, List.of(key(3)), tables(1_000, ends));
        cuts.begin(key(20), 0, Integer.BYTES);
        assertThat(cuts.endBefore(key(21), 0, Integer.BYTES, 1)).isFalse();
    }

    @Test
    void theNextLevelThatHoldsAnythingLiesBeneath() {
        RunShape deep = new RunShape(Levels.runOf(6), tables(5, 8));
        RunShape upper = new RunShape(Levels.runOf(3), tables(9));
        RunShape zero = new RunShape(Levels.newestRun(7), tables(9));
        Shape shape = new Shape(List.of(zero, upper, deep));
        assertThat(shape.beneath(Levels.runOf(2))).isEqualTo(upper.tables());
        assertThat(shape.beneath(Levels.runOf(3))).isEqualTo(deep.tables());
        assertThat(shape.beneath(Levels.runOf(6))).isEmpty();
        assertThat(shape.beneath(zero.id())).as("level 0 is merged as a whole").isEmpty();
    }

    /// The keys at which tables begin, but for the first.
    private static List<Integer> begins(TableCuts cuts) {
        List<Integer> begins = new ArrayList<>();
        cuts.begin(key(0), 0, Integer.BYTES);
        int bytes = 1;
        for (int i = 1; i < RECORDS; i++) {
            if (cuts.endBefore(key(i), 0, Integer.BYTES, bytes)) {
                begins.add(i);
                bytes = 0;
            }
            bytes++;
        }
        return begins;
    }

    /// Tables that end with these keys, each where the one before has ended.
    private static List<TableShape> tables(int... ends) {
        return tables(1, ends);
    }

    private static List<TableShape> tables(long bytes, int[] ends) {
        List<TableShape> tables = new ArrayList<>();
        int begin = 0;
        for (int end : ends) {
            tables.add(new TableShape(tables.size() + 1, key(begin), key(end), bytes, 1, 0, 0, 0, List.of()));
            begin = end + 1;
        }
        return tables;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }
}
