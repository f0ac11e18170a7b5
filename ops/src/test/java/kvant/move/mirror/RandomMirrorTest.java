package kvant.move.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import kvant.engine.Condition;
import kvant.engine.Crew;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random writers during the work of a copier, with a target that fails, delays and reorders: no client notices, and in
/// the end the target equals the source, expiries included. `-Dkvant.seed=N` repeats a run.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RandomMirrorTest {

    private static final long FAR = 4_000_000_000_000L;
    private static final int WRITERS = 4;
    private static final int ROUNDS = 120;
    private static final int KEYS = 300;

    @TempDir
    Path folder;

    enum TargetFault {
        NONE,
        SLOW,
        FAILING,
        LATE,
        COMING_AND_GOING,
        TOO_MUCH_TO_REPAIR
    }

    private static UnreliableEngine target(TargetFault fault, long seed) {
        UnreliableEngine target = new UnreliableEngine(seed);
        target.mostDelayMicros = fault == TargetFault.NONE ? 0 : 3_000;
        target.failuresInThousand = fault == TargetFault.FAILING || fault == TargetFault.TOO_MUCH_TO_REPAIR ? 30 : 0;
        target.latesInThousand = fault == TargetFault.LATE ? 10 : 0;
        target.lateMillis = 250;
        for (int i = 0; i < KEYS; i += 3) { // what an older copy has left: some of it wrong, some of it gone since
            target.put(key(i), Samples.bytes("old"));
            target.put(Samples.bytes("gone" + i), Samples.bytes("old"));
        }
        return target;
    }

    private static byte[] key(int number) {
        return Samples.bytes("k" + number);
    }

    @ParameterizedTest
    @EnumSource
    void theTargetBecomesTheSource(TargetFault fault) {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        System.out.println("RandomMirrorTest " + fault + ": -Dkvant.seed=" + seed);
        UnreliableEngine target = target(fault, seed);
        LocalEngine source = MirrorFixture.lsm(folder.resolve("source"));
        List<Mutation> before = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            before.add(new Mutation.Put(key(i), Samples.bytes("before")));
        }
        Samples.write(source, WriteBatch.of(before));
        MirrorOptions options =
                fault == TargetFault.TOO_MUCH_TO_REPAIR ? MirrorFixture.repairing(2_000) : MirrorFixture.QUICK;
        try (LocalMirror mirror = MirrorFixture.mirror(source, target, options)) {
            Crew.runAll(WRITERS + 1, number -> {
                if (number < WRITERS) {
                    write(mirror, new Random(seed + number));
                } else if (fault == TargetFault.COMING_AND_GOING) {
                    for (int i = 0; i < 10; i++) {
                        target.down = !target.down;
                        Thread.sleep(30);
                    }
                }
            });
            target.down = false;
            target.failuresInThousand = 0;
            target.latesInThousand = 0;

            MirrorFixture.awaitCaughtUp(mirror);
            assertThat(MirrorFixture.differences(source, target))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /// Bursts, so that writes of a key are under way at once.
    private static void write(LocalMirror mirror, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            RecordingSink sink = new RecordingSink();
            int burst = 1 + random.nextInt(20);
            for (int i = 0; i < burst; i++) {
                mirror.submit(new Write(batch(random), sink));
            }
            sink.awaitCompleted(burst);
            assertThat(sink.completed())
                    .allSatisfy(
                            write -> assertThat(write.outcome()).isIn(Write.Outcome.APPLIED, Write.Outcome.REFUSED));
        }
    }

    private static WriteBatch batch(Random random) {
        List<Mutation> mutations = new ArrayList<>();
        int size = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1;
        for (int i = 0; i < size; i++) {
            byte[] key = key(random.nextInt(random.nextBoolean() ? 10 : KEYS));
            byte[] value = Samples.bytes("v" + random.nextInt());
            mutations.add(
                    switch (random.nextInt(4)) {
                        case 0 -> new Mutation.Delete(key);
                        case 1 -> new Mutation.Put(key, value, FAR + random.nextInt(1_000));
                        default -> new Mutation.Put(key, value);
                    });
        }
        WriteBatch batch = WriteBatch.of(mutations);
        return switch (random.nextInt(8)) {
            case 0 -> batch.when(new Condition.Absent());
            case 1 -> batch.when(new Condition.Present());
            default -> batch;
        };
    }
}
