package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Expired values stay expired when the clock is set back, also after a restart. Later writes live for their full time.
public abstract class ClockSetBackContract {

    private static final long NOON = 1_700_000_000_000L;
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;

    @TempDir
    Path folder;

    private final AtomicLong nowMillis = new AtomicLong(NOON);

    /// Opens the store in a directory.
    protected abstract LocalEngine open(Path data, InstantSource clock);

    @Test
    void whatWasReadAsExpiredStaysExpired() {
        try (LocalEngine engine = open()) {
            put(engine, "short", NOON + 30 * MINUTE);
            put(engine, "long", NOON + 2 * HOUR);
            put(engine, "unread", NOON + 40 * MINUTE);
            nowMillis.set(NOON + HOUR);
            assertThat(Samples.get(engine, "short")).isNull();

            nowMillis.set(NOON);

            assertExpired(engine, "short", "long", "unread");
        }
        try (LocalEngine engine = open()) {
            assertExpired(engine, "short", "long", "unread");
        }
    }

    /// A range that left a record out has answered, too.
    @Test
    void whatARangeLeftOutStaysExpired() {
        try (LocalEngine engine = open()) {
            put(engine, "short", NOON + 30 * MINUTE);
            put(engine, "long", NOON + 2 * HOUR);
            nowMillis.set(NOON + HOUR);
            assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("long");

            nowMillis.set(NOON);

            assertExpired(engine, "short", "long");
        }
    }

    @Test
    void whatIsWrittenAfterwardsLivesAsLongAsItShould() {
        try (LocalEngine engine = open()) {
            put(engine, "before", NOON + 30 * MINUTE);
            nowMillis.set(NOON + HOUR);
            assertThat(Samples.get(engine, "before")).isNull();
            nowMillis.set(NOON);

            put(engine, "after", NOON + 10 * MINUTE);
            assertExpired(engine, "before", "after");
        }
        // As a crash leaves it, which saves nothing any more.
        Path crashed = folder.resolve("crashed");
        try (LocalEngine engine = open()) {
            put(engine, "second", NOON + 5 * MINUTE);
            assertExpired(engine, "before", "after", "second");
            engine.maintenance().checkpoint(crashed, _ -> {});
        }
        try (LocalEngine engine = open(crashed, this::now)) {
            assertExpired(engine, "before", "after", "second");
            nowMillis.set(NOON + 6 * MINUTE);
            assertExpired(engine, "second", "after");
            nowMillis.set(NOON);
            assertExpired(engine, "second", "after");
            assertExpired(engine, "before", "after");
        }
    }

    @Test
    void aStoreWithoutLifeTimesKeepsNoRecordOfTheClock() {
        try (LocalEngine engine = open()) {
            Samples.write(engine, Samples.put("a", "1"));
            Samples.get(engine, "a");
        }
        assertThat(Files.exists(folder.resolve("data/EXPIRY"))).isFalse();
    }

    private void assertExpired(LocalEngine engine, String expired, String... present) {
        assertThat(Samples.get(engine, expired)).as(expired).isNull();
        List<String> keys = Samples.keys(Samples.scan(engine, "", null));
        assertThat(keys).doesNotContain(expired).contains(present);
        for (String each : present) {
            assertThat(Samples.get(engine, each)).as(each).isEqualTo("value");
        }
        assertThat(Samples.settle(
                                engine, WriteBatch.of(Samples.put(expired, "x")).when(new Condition.Present()))
                        .outcome())
                .as("a condition, too")
                .isEqualTo(Write.Outcome.REFUSED);
    }

    private static void put(LocalEngine engine, String key, long endMillis) {
        Samples.write(engine, new Mutation.Put(Samples.bytes(key), Samples.bytes("value"), endMillis));
    }

    private LocalEngine open() {
        return open(folder.resolve("data"), this::now);
    }

    private Instant now() {
        return Instant.ofEpochMilli(nowMillis.get());
    }
}
