package kvant.lsm;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the options are and however they change from one start to the next, a store behaves like a sorted map,
/// and its check finds nothing.
///
/// `-Dkvant.seed=S -Dkvant.tries=1` repeats the history of a failure, `-Dkvant.tries=N` runs N histories of each kind,
/// `-Dkvant.operations=N` makes each of them longer.
public abstract class RandomOptionsContract {

    /// With what a store is opened.
    public record Opening(LsmOptions options, LsmParts parts) {}

    private static final int DIRECTORIES = Seeds.tries(3);
    private static final int SIMULATIONS = Seeds.tries(12);
    private static final int OPERATIONS = Integer.getInteger("kvant.operations", 300);
    private static final long FIRST_SEED = Seeds.seed(1);

    /// A history that takes longer is stuck, however slow the disk is.
    private static final Duration LONGEST_HISTORY = Duration.ofSeconds(240 + OPERATIONS / 10);

    /// Whether the engine has other parts at this start, and options that suit them.
    protected Opening opening(LsmOptions drawn, RandomGenerator random) {
        return new Opening(drawn, LsmParts.OWN);
    }

    @Test
    void aStoreInADirectoryBehavesLikeAMap(@TempDir Path folder) {
        run("directories", DIRECTORIES, seed -> new StoreHome.Directory(folder.resolve("store-" + seed)));
    }

    @Test
    void aStoreThatCrashesBehavesLikeAMapOfWhatItAcknowledged() {
        run("simulations", SIMULATIONS, _ -> new StoreHome.Simulated());
    }

    private void run(String kind, int tries, LongFunction<StoreHome> home) {
        System.out.printf("random options, %s: seeds %d to %d%n", kind, FIRST_SEED, FIRST_SEED + tries - 1);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + tries; seed++) {
            run(seed, home.apply(seed));
        }
    }

    private void run(long seed, StoreHome home) {
        RandomOptionsRun run = new RandomOptionsRun(home, seed, this::opening);
        try (run) {
            assertTimeoutPreemptively(LONGEST_HISTORY, () -> run.perform(OPERATIONS));
        } catch (Throwable e) {
            throw new AssertionError("repeat with -Dkvant.seed=" + seed + " -Dkvant.tries=1; " + run.story(), e);
        }
    }
}
