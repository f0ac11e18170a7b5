package kvant.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final int KEYS = 100_000;
    private static final int RECORD_BYTES = 100;
    private static final long MEMTABLE_BYTES = 100_000;

    @Test
    void aBulkLoadInOrderIsWrittenOnce() {
        List<Simulation.Point> points = run(Leveled.above(MEMTABLE_BYTES), WritePattern.SEQUENTIAL, KEYS);
        assertThat(points).hasSize(100);
        assertThat(points.getLast().writtenBytes()).isEqualTo((long) KEYS * RECORD_BYTES);
        assertThat(points.getLast().writeAmplification()).isEqualTo(1);
        assertThat(points.getLast().spaceAmplification()).isEqualTo(1);
    }

    @Test
    void leveledTakesLittleSpaceAndUniversalLittleWriting() {
        Simulation.Point leveled = settled(Leveled.above(MEMTABLE_BYTES));
        Simulation.Point universal = settled(Universal.DEFAULT);
        assertThat(leveled.spaceAmplification()).isBetween(1.0, 1.3);
        assertThat(universal.spaceAmplification()).isBetween(1.3, 2.1);
        assertThat(universal.writeAmplification()).isLessThan(0.7 * leveled.writeAmplification());
        assertThat(universal.peakSpaceAmplification()).isGreaterThan(2);
        assertThat(leveled.peakSpaceAmplification()).isLessThan(1.6);
    }

    @Test
    void aQueueDoesNotGrow() {
        for (Picker picker : List.of(Leveled.above(MEMTABLE_BYTES), Universal.DEFAULT)) {
            Simulation.Point last = run(picker, WritePattern.QUEUE, 10L * KEYS).getLast();
            assertThat(last.spaceAmplification()).as("%s", picker).isLessThan(2.2);
        }
    }

    @Test
    void theSameSeedGivesTheSameFigures() {
        assertThat(run(Universal.DEFAULT, WritePattern.SKEWED, KEYS))
                .isEqualTo(run(Universal.DEFAULT, WritePattern.SKEWED, KEYS));
    }

    @Test
    void theSkewedWorkloadWritesFewKeysOften() {
        Random random = new Random(3);
        long different = LongStream.range(0, KEYS)
                .mapToInt(write -> WritePattern.SKEWED.next(write, KEYS, random))
                .peek(key -> assertThat(key).isBetween(0, KEYS - 1))
                .distinct()
                .count();
        assertThat(different).isBetween(KEYS / 10L, KEYS / 3L);
    }

    @Test
    void sizesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(
                        () -> new Simulation(Universal.DEFAULT, WritePattern.UNIFORM, 0, 100, 1_000, 1_000, 1, 1).run())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Simulation(Universal.DEFAULT, WritePattern.UNIFORM, 9, 100, 99, 1_000, 1, 1).run())
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// The worst of each figure once the data has been overwritten twice.
    private static Simulation.Point settled(Picker picker) {
        List<Simulation.Point> points = run(picker, WritePattern.UNIFORM, 6L * KEYS);
        List<Simulation.Point> late = points.subList(points.size() / 3, points.size());
        return new Simulation.Point(
                0,
                late.getLast().writeAmplification(),
                late.stream()
                        .mapToDouble(Simulation.Point::spaceAmplification)
                        .max()
                        .orElseThrow(),
                late.stream()
                        .mapToDouble(Simulation.Point::peakSpaceAmplification)
                        .max()
                        .orElseThrow(),
                0);
    }

    private static List<Simulation.Point> run(Picker picker, WritePattern workload, long writes) {
        return new Simulation(picker, workload, KEYS, RECORD_BYTES, MEMTABLE_BYTES, MEMTABLE_BYTES, writes, 1).run();
    }
}
