package kvant.lsm.changes;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.SimStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// After each call that the engine makes of its storage, a copy that follows it meets the result of a power cut or a
/// kill: it continues at its version, and ends with the content of the store. So the changes that it gets have no gap,
/// no repetition and nothing that the store has lost.
class ChangesCrashTest {

    private static final int EVERY_GROUP = 1;
    private static final int A_FEW = 300 << 10;

    @ParameterizedTest
    @CsvSource({
        "always, 12, " + EVERY_GROUP,
        "interval=1, 8, " + EVERY_GROUP,
        "none, 8, " + EVERY_GROUP,
        "interval=1, 40, " + A_FEW,
        "always, 40, " + A_FEW
    })
    void aFollowerGoesOnAfterEveryCrash(String durability, int steps, int memtableBytes) {
        for (int i = 0; i < Seeds.tries(1); i++) {
            new Run(Seeds.seed(3) + i, durability, memtableBytes).run(Seeds.steps(steps));
        }
    }

    private static final class Run {

        private final long seed;
        private final LsmOptions options;
        private final SimStorage storage = new SimStorage();
        private volatile FollowedCopy copy = new FollowedCopy();
        private volatile @Nullable Throwable failure;
        private long states;

        Run(long seed, String durability, int memtableBytes) {
            this.seed = seed;
            this.options = SimOptions.of(seed, durability, memtableBytes).with(o -> {
                o.retainedLogBytes = 1 << 30;
                o.preallocatedBytes = seed % 2 == 0 ? 0 : 1 << 10;
            });
        }

        void run(int steps) {
            RandomGenerator random = new SplittableRandom(seed);
            storage.observe(call -> check(call.number()));
            RecordingSink settled = new RecordingSink();
            try (LsmEngine engine = TestEngines.open(storage, options)) {
                for (int i = 0; i < steps && failure == null; i++) {
                    engine.submit(new Write(WriteBatch.of(mutations(random)), settled));
                    if (random.nextInt(3) > 0) {
                        settled.awaitCompleted(i + 1);
                    }
                    FollowedCopy next = new FollowedCopy(copy);
                    next.follow(engine, 1 + random.nextInt(2_000));
                    copy = next;
                }
                settled.awaitCompleted(failure == null ? steps : 0);
            }
            storage.observe(_ -> {});
            if (failure == null) {
                check(-1);
            }
            assertThat(failure).as("seed %d, after %d states", seed, states).isNull();
            assertThat(states).isGreaterThan(steps);
        }

        private static List<Mutation> mutations(RandomGenerator random) {
            List<Mutation> mutations = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                String key = "k" + random.nextInt(6);
                boolean deletes = random.nextInt(4) == 0;
                mutations.add(deletes ? delete(key) : put(key, "v".repeat(random.nextInt(700)) + random.nextInt()));
            }
            return mutations;
        }

        /// Called under the lock of the storage, so that the state stands still.
        private void check(long call) {
            if (failure != null) {
                return;
            }
            states++;
            try {
                RandomGenerator random = new SplittableRandom(seed * 1_000_003 + call);
                FollowedCopy follower = new FollowedCopy(copy);
                SimStorage image =
                        goOn(random.nextInt(3) == 0 ? storage.killed() : storage.crashed(random), follower, random);
                goOn(image, follower, random);
            } catch (Throwable e) {
                failure = new AssertionError("a crash after call " + call, e);
            }
        }

        /// @return what the next crash leaves
        private SimStorage goOn(SimStorage image, FollowedCopy follower, RandomGenerator random) {
            try (LsmEngine engine = TestEngines.open(image, options)) {
                follower.follow(engine, 1 + random.nextInt(2_000));
                assertThat(follower.entries()).isEqualTo(scan(engine, "", null));
                write(engine, put("after", "the crash " + random.nextInt()));
                follower.follow(engine, 1 << 10);
                return random.nextInt(3) == 0 ? image.killed() : image.crashed(random);
            }
        }
    }
}
