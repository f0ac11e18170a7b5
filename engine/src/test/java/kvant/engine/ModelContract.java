package kvant.engine;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random operations, compared with a map.
interface ModelContract extends ContractFixture {

    /// Seeds of the random test: fixed ones and a new one each time, or the one that is asked for.
    static long[] seeds() {
        Long wanted = Long.getLong("kvant.seed");
        return wanted != null ? new long[] {wanted} : new long[] {1, 2, 3, System.nanoTime()};
    }

    @ParameterizedTest
    @MethodSource("kvant.engine.ModelContract#seeds")
    default void behavesLikeAMapUnderRandomOperations(long seed) {
        int operations = Integer.getInteger("kvant.operations", 3_000);
        try (RandomRun run = new RandomRun(this, seed)) {
            run.perform(operations);
        } catch (Throwable e) {
            throw new AssertionError("random operations failed; repeat with -Dkvant.seed=" + seed, e);
        }
    }
}
