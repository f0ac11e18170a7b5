package kvant.lsm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the options are and however they change from one start to the next, a store behaves like a sorted map,
/// and its check finds nothing.
///
/// `-Dkvant.seed=S -Dkvant.tries=1` repeats the history of a failure, `-Dkvant.tries=N` runs N histories of each kind,
/// `-Dkvant.operations=N` makes each of them longer.
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RandomOptionsTest {

    private static final int DIRECTORIES = Seeds.tries(3);
    private static final int SIMULATIONS = Seeds.tries(12);
    private static final int OPERATIONS = Integer.getInteger("kvant.operations", 300);
    private static final long FIRST_SEED = Seeds.seed(1);

    @Test
    void aStoreInADirectoryBehavesLikeAMap(@TempDir Path folder) {
        run(DIRECTORIES, seed -> new StoreHome.Directory(folder.resolve("store-" + seed)));
    }

    @Test
    void aStoreThatCrashesBehavesLikeAMapOfWhatItAcknowledged() {
        run(SIMULATIONS, _ -> new StoreHome.Simulated());
    }

    private static void run(int tries, LongFunction<StoreHome> home) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + tries; seed++) {
            run(seed, home.apply(seed));
        }
    }

    private static void run(long seed, StoreHome home) {
        String story = "";
        try (RandomOptionsRun run = new RandomOptionsRun(home, seed)) {
            try {
                run.perform(OPERATIONS);
            } finally {
                story = run.story();
            }
        } catch (RuntimeException | IOException | AssertionError e) {
            throw new AssertionError("repeat with -Dkvant.seed=" + seed + " -Dkvant.tries=1; " + story, e);
        }
    }
}
