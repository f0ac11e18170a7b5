package kvant.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.FullMerge;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.compaction.OutputRange;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several merges at a time, in parts or whole, begun and finished in any order, between flushes, with the picker
/// changed now and then: every key reads as it should at every moment, the tables of a run never overlap, and in
/// the end there is rest. None begins whose output range overlaps that of another.
class PickersTest {

    private static final long NOW = 1_000;

    private static final long SEED = Seeds.seed(404);
    private static final int KEYS = 300;
    private static final int MEMTABLE_RECORDS = 20;

    private static final int CLUSTER_KEYS = 5;
    private static final int MAX_RUNNING = 3;

    private final Map<Integer, Integer> model = new HashMap<>();
    private final List<Running> running = new ArrayList<>();
    private final Set<Long> busy = new HashSet<>();
    private Set<Long> damaged = Set.of();
    private @Nullable FullMerge full;
    private @Nullable Task part;
    private int steps;
    private boolean clusters;

    /// A chosen plan, and its unfinished parts.
    private static final class Task {

        private final CompactionPlan choice;
        private final List<MergePart> parts;
        private final OutputRange output;
        private int left;

        Task(CompactionPlan choice, List<MergePart> parts, OutputRange output) {
            this.choice = choice;
            this.parts = parts;
            this.output = output;
            this.left = parts.size();
        }
    }

    private record Running(Task task, SimulatedStore.Work work) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void nothingIsLostAndNothingComesBack(int round) {
        check(new Random(SEED + round));
    }

    /// Keys that come in clusters leave gaps between tables, and a flush that lies in one may be moved from level to
    /// level during a merge around it. All of this rarely happens in the same round.
    @ParameterizedTest
    @Tag("full") // a minute and a half of two cores
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void nothingIsBroughtIntoTheGapsOfAMerge(int round) {
        clusters = true;
        check(new Random(SEED + round));
    }

    private void check(Random random) {
        SimulatedStore store = new SimulatedStore(1, 7);
        Picker picker = picker(random);
        for (int step = 0; step < 3_000; step++) {
            switch (random.nextInt(6)) {
                case 0 -> flush(store, random);
                case 1, 2, 3 -> begin(store, picker, 1 + random.nextInt(MAX_RUNNING));
                default -> finishOne(store, random);
            }
            if (full == null && random.nextInt(clusters ? 20 : 200) == 0) {
                picker = picker(random);
                full = random.nextBoolean() ? inParts(picker, store, random) : null;
            }
            damaged = random.nextInt(60) == 0 ? damaged(store, random) : damaged;
            assertSound(store, step);
        }
        while (!running.isEmpty()) {
            finishOne(store, random);
        }
        int steps = 0;
        for (CompactionPlan choice = picker.pick(store.shape(), Set.of(), NOW);
                !(choice instanceof CompactionPlan.Rest);
                choice = picker.pick(store.shape(), Set.of(), NOW)) {
            store.finish(store.begin(choice));
            assertThat(++steps).as("seed %d: it comes to rest", SEED).isLessThan(1_000);
        }
        assertSound(store, -1);
        carryThrough(inParts(picker, store, random), store);
        assertSound(store, -2);
        assertThat(store.shape().runs()).hasSizeLessThanOrEqualTo(1);
        assertThat(store.shape().runs().stream().flatMap(run -> run.tables().stream()))
                .allMatch(table -> table.deletions() == 0);
        FullMerge again = picker.all(store.shape());
        assertThat(again.next(store.shape(), Set.of(), Set.of())).isEqualTo(CompactionPlan.REST);
        assertThat(again.isDone()).isTrue();
    }

    /// A full merge, in parts of one table or of many.
    private static FullMerge inParts(Picker picker, SimulatedStore store, Random random) {
        long last = picker instanceof Leveled ? Levels.runOf(Levels.LAST) : 0;
        return new FullMerge(1 + random.nextInt(60), last, store.shape());
    }

    private static void carryThrough(FullMerge merge, SimulatedStore store) {
        for (int parts = 0; !merge.isDone(); parts++) {
            assertThat(parts).as("seed %d: it ends", SEED).isLessThan(2_000);
            store.finish(store.begin(merge.next(store.shape(), Set.of(), Set.of())));
            merge.partDone();
        }
    }

    /// A few tables that cannot be read, half of the time.
    private static Set<Long> damaged(SimulatedStore store, Random random) {
        Set<Long> damaged = new HashSet<>();
        if (random.nextBoolean()) {
            for (Shape.RunShape run : store.shape().runs()) {
                run.tables().stream()
                        .filter(_ -> random.nextInt(12) == 0)
                        .forEach(table -> damaged.add(table.number()));
            }
        }
        return damaged;
    }

    private Picker picker(Random random) {
        if (clusters) { // two levels at least, of few keys each
            return new Leveled(1 + random.nextInt(3), 5 + random.nextInt(20), 2 + random.nextInt(3));
        }
        return random.nextInt(3) == 0
                ? new Universal(2 + random.nextInt(3), 5)
                : new Leveled(1 + random.nextInt(3), 20 + random.nextInt(100), 2 + random.nextInt(4));
    }

    private void flush(SimulatedStore store, Random random) {
        TreeMap<Integer, Integer> memtable = new TreeMap<>();
        int first = clusters && !running.isEmpty() ? keyWithin(running.getFirst(), random) : random.nextInt(KEYS);
        int width = 1 + random.nextInt(clusters ? CLUSTER_KEYS : KEYS);
        boolean deletes = clusters && random.nextBoolean(); // else keys would be everywhere before long
        for (int i = 0; i < MEMTABLE_RECORDS; i++) {
            int key = (first + random.nextInt(width)) % KEYS;
            boolean isDeletion = deletes || random.nextInt(3) == 0;
            memtable.put(key, isDeletion ? SimulatedTable.deletion(key) : SimulatedTable.put(key));
        }
        model.putAll(memtable);
        store.flush(memtable.values().stream().mapToInt(Integer::intValue).toArray());
    }

    private static int keyWithin(Running one, Random random) {
        int smallest = ByteBuffer.wrap(one.task().output.smallest()).getInt();
        int largest = ByteBuffer.wrap(one.task().output.largest()).getInt();
        return smallest + random.nextInt(largest - smallest + 1);
    }

    private void begin(SimulatedStore store, Picker picker, int parts) {
        if (running.size() >= MAX_RUNNING) {
            return;
        }
        FullMerge merge = full;
        boolean asPart = merge != null && part == null && ++steps % 2 == 0;
        Set<Long> taken = new HashSet<>(busy);
        if (merge != null && picker.raisesRuns()) {
            store.shape().runs().stream()
                    .filter(merge::holds)
                    .forEach(run -> run.tables().forEach(table -> taken.add(table.number())));
        }
        CompactionPlan choice =
                asPart ? merge.next(store.shape(), busy, damaged) : picker.pick(store.shape(), taken, damaged, NOW);
        List<Long> tables = tables(choice);
        assertThat(tables).as("seed %d", SEED).noneMatch(damaged::contains);
        assertThat(tables).as("seed %d", SEED).noneMatch(busy::contains).doesNotHaveDuplicates();
        if (!tables.isEmpty()) {
            OutputRange output = OutputRange.of(store.shape(), choice);
            if (running.stream().anyMatch(one -> one.task().output.overlaps(output))) {
                return;
            }
            busy.addAll(tables);
            Task task = start(store, choice, parts, output);
            part = asPart ? task : part;
        }
        if (asPart && merge.isDone()) {
            full = null;
        }
    }

    /// All parts at once: the output of the first ones is there while others continue.
    private Task start(SimulatedStore store, CompactionPlan choice, int most, OutputRange output) {
        if (choice instanceof CompactionPlan.Merge merge) {
            Task task = new Task(merge, MergePart.split(store.shape(), merge, most, 1), output);
            task.parts.forEach(each -> running.add(new Running(task, store.begin(merge, each))));
            return task;
        }
        Task task = new Task(choice, List.of(), output);
        task.left = 1;
        running.add(new Running(task, store.begin(choice)));
        return task;
    }

    private void finishOne(SimulatedStore store, Random random) {
        if (!running.isEmpty()) {
            boolean lastBegun = clusters && random.nextInt(8) > 0; // so that others come and go during a long one
            Running one = running.remove(lastBegun ? running.size() - 1 : random.nextInt(running.size()));
            store.finish(one.work());
            Task task = one.task();
            if (--task.left > 0) {
                return;
            }
            if (task.choice instanceof CompactionPlan.Merge merge) {
                List<Long> above = new ArrayList<>(merge.tables());
                task.parts.forEach(each -> above.removeAll(each.replaced()));
                store.remove(above);
            }
            if (task == part) {
                Objects.requireNonNull(full).partDone();
                part = null;
            }
            tables(task.choice).forEach(busy::remove);
        }
    }

    private static List<Long> tables(CompactionPlan choice) {
        return switch (choice) {
            case CompactionPlan.Rest _ -> List.of();
            case CompactionPlan.Move move -> move.tables();
            case CompactionPlan.Merge merge -> merge.tables();
        };
    }

    private void assertSound(SimulatedStore store, int step) {
        for (int key = 0; key < KEYS; key++) {
            Integer expected = model.get(key);
            Integer found = store.find(key);
            boolean deleted = expected == null || SimulatedTable.isDeletion(expected);
            assertThat(found == null || SimulatedTable.isDeletion(found))
                    .as("seed %d, step %d, key %d", SEED, step, key)
                    .isEqualTo(deleted);
        }
        for (Shape.RunShape run : store.shape().runs()) {
            for (int i = 1; i < run.tables().size(); i++) {
                assertThat(Keys.compare(
                                run.tables().get(i - 1).largestKey(),
                                run.tables().get(i).smallestKey()))
                        .as("seed %d, step %d: tables of run %d overlap", SEED, step, run.id())
                        .isNegative();
            }
        }
    }
}
