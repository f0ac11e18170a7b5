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
        run(durability, steps, EVERY_GROUP, SMALL_VALUE_BYTES, false);
    }

    /// Each directory has to be synced for its own names.
    @ParameterizedTest
    @CsvSource({"always, 25", "none, 12"})
    void everyStateAfterACrashIsLegalWhileLogsAreInADirectoryOfTheirOwn(String durability, int steps) {
        run(durability, Seeds.steps(steps), EVERY_GROUP, SMALL_VALUE_BYTES, true);
    }

    /// A memtable gets several logs, one after the other.
    @ParameterizedTest
    @CsvSource({"always, 60"})
    void everyStateAfterACrashIsLegalWhileLogsOfOneMemtableFollowOneAnother(String durability, int steps) {
        run(durability, Seeds.steps(steps), A_FEW_LARGE_VALUES, SMALL_VALUE_BYTES, false);
    }

    @ParameterizedTest
    @CsvSource({"always, 40", "interval=1, 40", "none, 40"})
    void everyStateAfterACrashIsLegalWhileLogsGrow(String durability, int steps) {
        run(durability, Seeds.steps(steps), A_FEW_LARGE_VALUES, LARGE_VALUE_BYTES, false);
    }

    private static void run(String durability, int steps, int memtableBytes, int largeValueBytes, boolean logsApart) {
        long states = 0;
        long recoveryCrashes = 0;
        long withValueFiles = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            CrashRun run =
                    new CrashRun(seed, new CrashRun.Kind(durability, steps, memtableBytes, largeValueBytes, logsApart));
            run.run();
            states += run.states();
            recoveryCrashes += run.recoveryCrashes();
            withValueFiles += run.statesWithValueFiles();
        }
        if (memtableBytes == EVERY_GROUP && FIRST_SEED % 3 != 0) { // see SimOptions
            assertThat(withValueFiles).as("states with value files").isPositive();
        }
        assertThat(states).isPositive();
        System.out.printf(
                "%s, memtable %d: %d states, %d crashes during recovery%n",
                durability, memtableBytes, states, recoveryCrashes);
    }
}
