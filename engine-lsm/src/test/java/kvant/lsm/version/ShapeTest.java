package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.value.ValueReference;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;
import org.junit.jupiter.api.Test;

class ShapeTest {

    private static final long SEED = Seeds.seed(31);
    private static final int KEYS = 60;

    /// All ranges of keys, over runs of any number of tables with and without gaps between them.
    @Test
    void aRangeOverlapsTheTablesThatALookAtEachOfThemFinds() {
        Random random = new Random(SEED);
        for (int tables = 0; tables < 12; tables++) {
            RunShape run = new RunShape(Levels.runOf(6), tables(tables, random));
            for (int smallest = 0; smallest < KEYS; smallest++) {
                for (int largest = smallest; largest < KEYS; largest++) {
                    assertThat(run.overlapping(key(smallest), key(largest)))
                            .as("seed %d, %d tables, keys %d to %d", SEED, tables, smallest, largest)
                            .isEqualTo(lookedAtOneByOne(run, key(smallest), key(largest)));
                }
            }
        }
    }

    @Test
    void aRunIsAsLargeAsItsTablesAndWeighsWhatTheyReferToAsWell() {
        TableShape inline = new TableShape(1, key(0), key(1), 10, 1, 0, 0, 0, List.of());
        TableShape pointers = new TableShape(2, key(2), key(3), 5, 1, 0, 0, 0, List.of(new ValueReference(7, 1, 100)));

        RunShape run = new RunShape(Levels.runOf(6), List.of(inline, pointers));

        assertThat(run.bytes()).isEqualTo(15);
        assertThat(run.weight()).isEqualTo(115);
        assertThat(new Shape(List.of(run)).bytes()).isEqualTo(15);
    }

    @Test
    void tablesAreFoundByTheirNumbersInTheOrderOfTheirKeysAndNoneIsLeftOut() {
        TableShape newest = new TableShape(9, key(0), key(3), 10, 1, 0, 0, 0, List.of());
        TableShape first = new TableShape(2, key(0), key(1), 10, 1, 0, 0, 0, List.of());
        TableShape second = new TableShape(1, key(2), key(3), 10, 1, 0, 0, 0, List.of());
        Shape shape = new Shape(List.of(
                new RunShape(Levels.newestRun(9), List.of(newest)),
                new RunShape(Levels.runOf(6), List.of(first, second))));

        assertThat(shape.tables(List.of(1L, 2L))).containsExactly(first, second);
        assertThat(shape.tables(List.of(1L, 9L))).containsExactly(newest, second);
        assertThatThrownBy(() -> shape.tables(List.of(1L, 3L))).hasMessage("no tables [3]");
    }

    private static List<TableShape> lookedAtOneByOne(RunShape run, byte[] smallest, byte[] largest) {
        return run.tables().stream()
                .filter(table -> Keys.compare(table.largestKey(), smallest) >= 0
                        && Keys.compare(table.smallestKey(), largest) <= 0)
                .toList();
    }

    private static List<TableShape> tables(int count, Random random) {
        List<TableShape> tables = new ArrayList<>();
        int next = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int end = next + random.nextInt(4);
            tables.add(new TableShape(i + 1, key(next), key(end), 1, 1, 0, 0, 0, List.of()));
            next = end + 1 + random.nextInt(3);
        }
        return tables;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }
}
