package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever a crash leaves, a store opens with every write that it acknowledged.
///
/// `-Dkvant.sim.seeds=N` runs N histories of each kind, `-Dkvant.sim.seed=S` begins with seed S. A state that fails is
/// saved, and [CrashReplayTest] checks it again.
class CrashTest {

    private static final int SEEDS =
            Integer.getInteger("kvant.sim.seeds", Boolean.getBoolean("kvant.test.all") ? 8 : 1);
    private static final long FIRST_SEED = Long.getLong("kvant.sim.seed", 1);

    /// A memtable of one byte is full after every group.
    private static final int EVERY_GROUP = 1;
    /// A memtable that takes a few of the large values.
    private static final int A_FEW_LARGE_VALUES = 300 << 10;

    private static final int SMALL_VALUE_BYTES = 500;
    private static final int LARGE_VALUE_BYTES = 17 << 10;

    @ParameterizedTest
    @CsvSource({"always, 25", "interval=1, 12", "none, 12"})
    void everyStateAfterACrashIsLegalWhileLogsRotateAllTheTime(String durability, int steps) {
        run(new CrashRun.Kind(durability, steps, EVERY_GROUP, SMALL_VALUE_BYTES, false, 0));
    }

    /// Each directory has to be synced for its own names.
    @ParameterizedTest
    @CsvSource({"always, 25", "none, 12"})
    void everyStateAfterACrashIsLegalWhileLogsAreInADirectoryOfTheirOwn(String durability, int steps) {
        run(new CrashRun.Kind(durability, Seeds.steps(steps), EVERY_GROUP, SMALL_VALUE_BYTES, true, 0));
    }

    /// A memtable gets several logs, one after the other.
    @ParameterizedTest
    @CsvSource({"always, 60"})
    void everyStateAfterACrashIsLegalWhileLogsOfOneMemtableFollowOneAnother(String durability, int steps) {
        run(new CrashRun.Kind(durability, Seeds.steps(steps), A_FEW_LARGE_VALUES, SMALL_VALUE_BYTES, false, 0));
    }

    @ParameterizedTest
    @CsvSource({"always, 40", "interval=1, 40", "none, 40"})
    void everyStateAfterACrashIsLegalWhileLogsGrow(String durability, int steps) {
        run(new CrashRun.Kind(durability, Seeds.steps(steps), A_FEW_LARGE_VALUES, LARGE_VALUE_BYTES, false, 0));
    }

    /// Full compactions run now and then. Each part of a merge is installed by itself.
    @ParameterizedTest
    @CsvSource({"always, 35, 1", "always, 35, 3", "none, 35, 2"})
    void everyStateAfterACrashIsLegalAmongThePartsOfAMerge(String durability, int steps, int mergeThreads) {
        int all = CrashRun.FILLING_STEPS + Seeds.steps(steps);
        run(new CrashRun.Kind(durability, all, EVERY_GROUP, SMALL_VALUE_BYTES, false, mergeThreads));
    }

    private static void run(CrashRun.Kind kind) {
        long states = 0;
        long recoveryCrashes = 0;
        long withValueFiles = 0;
        long inFullMerges = 0;
        long splitMerges = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            CrashRun run = new CrashRun(seed, kind);
            run.run();
            states += run.states();
            recoveryCrashes += run.recoveryCrashes();
            withValueFiles += run.statesWithValueFiles();
            inFullMerges += run.statesInFullMerges();
            splitMerges += run.splitMerges();
        }
        if (kind.memtableBytes() == EVERY_GROUP && FIRST_SEED % 3 != 0) { // see SimOptions
            assertThat(withValueFiles).as("states with value files").isPositive();
        }
        if (kind.mergeThreads() > 0) {
            assertThat(kind.mergeThreads() == 1 ? inFullMerges : splitMerges)
                    .as("states among the parts of a full merge, or merges that threads divided")
                    .isPositive();
        }
        assertThat(states).isPositive();
        System.out.printf(
                "%s, memtable %d: %d states, %d crashes during recovery, %d states in full merges, %d merges divided%n",
                kind.durability(), kind.memtableBytes(), states, recoveryCrashes, inFullMerges, splitMerges);
    }
}
