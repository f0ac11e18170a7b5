package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Durability;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Test;

/// What reads of many keys promise beyond the contract: they hold nothing afterwards, and take one look at the
/// clock.
class MultiGetTest {

    private static final int KEYS = 100;
    private static final int VALUE_BYTES = 1_000;

    private final AtomicLong nowMillis = new AtomicLong(1_000);
    private volatile boolean moving;
    private final HeapStorage storage = new HeapStorage();

    @Test
    void tablesThatWereReadAreFreedWhenTheyAreReplaced() {
        byte[][] keys = new byte[KEYS][];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = Samples.bytes(key(KEYS - 1 - i));
        }
        try (LsmEngine engine = open()) {
            for (int round = 0; round < 30; round++) {
                for (int i = 0; i < KEYS; i++) {
                    Samples.write(engine, new Mutation.Put(Samples.bytes(key(i)), Samples.noise(VALUE_BYTES, round)));
                    if (i % 10 == 0) {
                        assertThat(engine.getAll(keys)).hasSize(KEYS);
                    }
                }
            }
            engine.awaitRest();
            await().atMost(Duration.ofNanos(Samples.patienceNanos()))
                    .until(() -> tableBytes() < 5 * KEYS * VALUE_BYTES);
        }
    }

    @Test
    void equalKeysAgreeAlthoughTimeGoesOn() {
        try (LsmEngine engine = open()) {
            Samples.write(engine, new Mutation.Put(Samples.bytes("k"), new byte[1], 1_001));
            Samples.write(engine, new Mutation.Put(Samples.bytes("l"), new byte[1], 1_001));
            byte[][] keys = {Samples.bytes("k"), Samples.bytes("l"), Samples.bytes("k")};
            moving = true;
            // Each look at the clock moves it on, so that a second look would find the values expired.
            assertThat(engine.getAll(keys))
                    .allSatisfy(answer -> assertThat(answer).isInstanceOf(Lookup.Found.class));
            moving = false;
            nowMillis.set(1_001);
            assertThat(engine.getAll(keys)).containsOnly(Lookup.Miss.ABSENT);
        }
    }

    private LsmEngine open() {
        LsmOptions options = LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(o -> {
                    o.memtableBytes = 20 << 10;
                    o.table = new TableOptions(512, 20 << 10);
                    o.compaction = CompactionOptions.of(new Universal(2, 3));
                    o.clock = () -> Instant.ofEpochMilli(moving ? nowMillis.getAndIncrement() : nowMillis.get());
                });
        return LsmEngine.open(storage, options, null);
    }

    private long tableBytes() {
        return storage.totalBytes(name -> FileNames.tableNumber(name) != null);
    }

    private static String key(int number) {
        return "key-%04d".formatted(number);
    }
}
