package kvant.lsm.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import kvant.lsm.Seeds;
import kvant.lsm.version.Shape;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UniversalTest {

    private static final long NOW = 1_000;

    private static final long SEED = Seeds.seed(71);

    @Test
    void fewRunsRest() {
        assertThat(pick(Universal.DEFAULT, List.of())).isNull();
        assertThat(pick(Universal.DEFAULT, List.of(5L, 5L, 5L))).isNull();
    }

    @Test
    void everythingIsMergedOnceTheNewerRunsHaveGrownToTheOldest() {
        assertThat(pick(Universal.DEFAULT, List.of(10L, 20L, 30L, 60L))).isEqualTo(new Neighbours(0, 4));
    }

    @Test
    void similarNeighboursAreMergedAndTheLargeOldRunIsLeftAlone() {
        assertThat(pick(Universal.DEFAULT, List.of(1L, 1L, 1L, 1L, 1_000L))).isEqualTo(new Neighbours(0, 4));
        assertThat(pick(Universal.DEFAULT, List.of(1L, 50L, 50L, 50L, 50L, 1_000L)))
                .isEqualTo(new Neighbours(1, 4));
    }

    @Test
    void tooManyRunsAreMergedWhateverTheirSizes() {
        List<Long> doubling = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            doubling.add(1L << 4 * i);
        }
        assertThat(pick(Universal.DEFAULT, doubling)).isEqualTo(new Neighbours(0, 2));
    }

    @Test
    void anyShapeComesToRestWithABoundedNumberOfRunsByMergesOfNeighbours() {
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            Universal picker = new Universal(2 + random.nextInt(4), 6 + random.nextInt(8));
            List<Long> runs = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                runs.add(1L + (long) Math.exp(random.nextInt(25)));
            }
            int merges = 0;
            int before = runs.size();
            while (pick(picker, runs) instanceof Neighbours merge) {
                assertThat(merge.count()).as("seed %d", SEED).isGreaterThanOrEqualTo(2);
                assertThat(merge.first() + merge.count()).as("seed %d", SEED).isLessThanOrEqualTo(runs.size());
                mergeRuns(runs, merge);
                assertThat(++merges)
                        .as("seed %d, merges of %d runs", SEED, before)
                        .isLessThan(Math.max(before, 1));
            }
            assertThat(runs.size()).as("seed %d", SEED).isLessThanOrEqualTo(picker.maxRuns());
        }
    }

    /// Keys are never written twice here, so that nothing shrinks: the worst case for what merging rewrites.
    @Test
    void eachByteIsRewrittenALogarithmicNumberOfTimes() {
        for (int flushes : new int[] {10, 100, 1_000, 10_000}) {
            List<Long> runs = new ArrayList<>();
            long rewritten = 0;
            for (int flush = 0; flush < flushes; flush++) {
                runs.addFirst(64L);
                while (pick(Universal.DEFAULT, runs) instanceof Neighbours merge) {
                    rewritten += mergeRuns(runs, merge);
                }
            }
            double amplification = (double) rewritten / (64L * flushes);
            double log2 = Math.log(flushes) / Math.log(2);
            assertThat(amplification).as("%d flushes", flushes).isLessThan(log2 + 1);
        }
    }

    /// Where one key set is overwritten again and again, what lies above the oldest run is dead sooner or
    /// later: the space of all runs stays within about twice the live data.
    @Test
    void overwritingTheSameDataTakesBoundedSpace() {
        long live = 64L * 100;
        List<Long> runs = new ArrayList<>(List.of(live));
        long most = 0;
        for (int flush = 0; flush < 5_000; flush++) {
            runs.addFirst(64L);
            while (pick(Universal.DEFAULT, runs) instanceof Neighbours merge) {
                mergeRuns(runs, merge);
                runs.set(merge.first(), Math.min(live, runs.get(merge.first())));
            }
            most = Math.max(most, runs.stream().mapToLong(Long::longValue).sum());
        }
        assertThat(most).isLessThanOrEqualTo(2 * live + 64);
    }

    @Test
    void boundsThatCouldNotComeToRestAreRefused() {
        assertThatThrownBy(() -> new Universal(1, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Universal(4, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsBeingMergedIsLeftAloneAndSoIsAllThatIsOlder() {
        Shape shape = Shapes.runs(List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L));
        long fourth = shape.runs().get(4).tables().getFirst().number();
        assertThat(neighbours(shape, Universal.DEFAULT.pick(shape, Set.of(fourth), NOW)))
                .isEqualTo(new Neighbours(0, 4));
        long second = shape.runs().get(2).tables().getFirst().number();
        assertThat(Universal.DEFAULT.pick(shape, Set.of(second), NOW)).isEqualTo(CompactionPlan.REST);
    }

    @Test
    void theMergedRunTakesThePlaceOfItsNewestInput() {
        Shape shape = Shapes.runs(List.of(1L, 50L, 50L, 50L, 50L, 1_000L));
        CompactionPlan.Merge merge = (CompactionPlan.Merge) Universal.DEFAULT.pick(shape, Set.of(), NOW);
        assertThat(merge.outputRun()).isEqualTo(shape.runs().get(1).id());
    }

    /// A merge by the places of its inputs.
    private record Neighbours(int first, int count) {}

    private static @Nullable Neighbours pick(Universal picker, List<Long> runBytes) {
        Shape shape = Shapes.runs(runBytes);
        return neighbours(shape, picker.pick(shape, Set.of(), NOW));
    }

    private static @Nullable Neighbours neighbours(Shape shape, CompactionPlan choice) {
        if (!(choice instanceof CompactionPlan.Merge merge)) {
            return null;
        }
        List<Long> ids = shape.runs().stream().map(Shape.RunShape::id).toList();
        int first = ids.indexOf(merge.inputs().getFirst().run());
        int count = merge.inputs().size();
        assertThat(merge.inputs().stream().map(CompactionPlan.Input::run)).isEqualTo(ids.subList(first, first + count));
        return new Neighbours(first, count);
    }

    private static long mergeRuns(List<Long> runs, Neighbours merge) {
        List<Long> inputs = runs.subList(merge.first(), merge.first() + merge.count());
        long bytes = inputs.stream().mapToLong(Long::longValue).sum();
        inputs.clear();
        runs.add(merge.first(), bytes);
        return bytes;
    }
}
