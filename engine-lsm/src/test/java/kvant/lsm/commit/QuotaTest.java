package kvant.lsm.commit;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A store that may have so much takes no more, and takes writes again when there is less.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class QuotaTest {

    private static final long MAX_BYTES = 16 << 20;
    private static final long HEADROOM_BYTES = 1 << 20;
    private static final String VALUE = "v".repeat(1_000);

    @TempDir
    Path folder;

    @Test
    void whatIsTooMuchIsRefusedAndDeletingMakesRoom() {
        try (LsmEngine engine = open()) {
            int count = fill(engine);
            assertThat(count).isBetween(4_000, 16_800);
            assertThat(settle(engine, WriteBatch.of(put("one more", VALUE))).failure())
                    .isInstanceOf(EngineException.StorageFull.class)
                    .hasMessageContaining("--max-data")
                    .hasMessageContaining("delete something");
            assertThat(writes(engine).ok()).isFalse();
            assertThat(writes(engine).detail()).contains("may have " + MAX_BYTES);
            for (int i = 0; i < count; i++) {
                assertThat(Samples.get(engine, key(i))).isEqualTo(VALUE);
            }

            for (int i = 0; i < count; i++) {
                String key = key(i);
                if (!isApplied(settle(engine, WriteBatch.of(delete(key))))) {
                    patiently().until(() -> isApplied(settle(engine, WriteBatch.of(delete(key)))));
                }
            }
            patiently().until(() -> writes(engine).ok());

            // A flush of the deletions may take the room once more before a merge makes it again.
            patiently().until(() -> isApplied(settle(engine, WriteBatch.of(put("again", VALUE)))));
            assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("again");
        }
    }

    @Test
    void aStoreWithMoreThanItMayHaveOpensAndRefuses() {
        try (LsmEngine engine = open()) {
            fill(engine);
        }
        LsmOptions less = options().with(o -> o.maxDataBytes = MAX_BYTES / 2);
        try (LsmEngine engine = LsmEngine.open(folder.resolve("data"), less)) {
            assertThat(isApplied(settle(engine, WriteBatch.of(put("one more", VALUE)))))
                    .isFalse();
            assertThat(Samples.get(engine, key(0))).isEqualTo(VALUE);
        }
    }

    /// Until not even flushes and merges make room for one more.
    ///
    /// @return how many keys fitted
    private static int fill(LsmEngine engine) {
        int count = 0;
        int before;
        do {
            before = count;
            while (isApplied(settle(engine, WriteBatch.of(put(key(count), VALUE))))) {
                count++;
            }
            engine.awaitRest();
        } while (count > before);
        return count;
    }

    private static Health.Check writes(LsmEngine engine) {
        return engine.health().checks().stream()
                .filter(check -> check.name().equals(Health.WRITES))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isApplied(Write write) {
        return write.outcome() == Write.Outcome.APPLIED;
    }

    private static String key(int number) {
        return "key%05d".formatted(number);
    }

    private LsmEngine open() {
        return LsmEngine.open(folder.resolve("data"), options());
    }

    private static LsmOptions options() {
        return LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .withMemtable(2 << 20)
                .with(o -> {
                    o.headroomBytes = HEADROOM_BYTES;
                    o.maxDataBytes = MAX_BYTES;
                });
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos())).pollInterval(Duration.ofMillis(5));
    }
}
