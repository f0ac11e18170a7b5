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
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Expired values are freed even without further writes.
class ExpiryTest {

    private static final int VALUES = 200;

    private final AtomicLong nowMillis = new AtomicLong(1_000);
    private final HeapStorage storage = new HeapStorage();

    @ParameterizedTest
    @ValueSource(strings = {"leveled", "universal"})
    void expiredValuesAreFreedAndWhatTheyHidStaysHidden(String style) {
        Picker picker = style.equals("leveled") ? new Leveled(2, 1 << 20, 10) : new Universal(4, 10);
        LsmOptions options = LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(o -> {
                    o.memtableBytes = 1 << 20;
                    o.table = new TableOptions(512, 8 << 10);
                    o.compaction = CompactionOptions.of(picker);
                    o.clock = () -> Instant.ofEpochMilli(nowMillis.get());
                });
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < VALUES; i++) {
                Samples.write(engine, Samples.put(key(i), "old"));
            }
        }
        LsmOptions flushing = options.with(o -> o.memtableBytes = 1);
        try (LsmEngine engine = TestEngines.open(storage, flushing)) {
            Samples.write(engine, Samples.put("zz", "a write of its own, so that what is above is flushed"));
        }
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < VALUES; i++) {
                Samples.write(engine, new Mutation.Put(Samples.bytes(key(i)), new byte[1_000], 5_000));
            }
        }
        try (LsmEngine engine = TestEngines.open(storage, flushing)) {
            assertThat(engine.get(Samples.bytes(key(7)))).isInstanceOf(Lookup.Found.class);
            assertThat(tableBytes()).isGreaterThan(VALUES * 1_000);

            nowMillis.set(5_000);

            await().atMost(Duration.ofSeconds(20)).until(() -> tableBytes() < VALUES * 200);
            for (int i = 0; i < VALUES; i++) {
                assertThat(engine.get(Samples.bytes(key(i)))).isEqualTo(Lookup.Miss.ABSENT);
            }
        }
    }

    private long tableBytes() {
        return storage.totalBytes(name -> FileNames.tableNumber(name) != null);
    }

    private static String key(int number) {
        return "key-%04d".formatted(number);
    }
}
