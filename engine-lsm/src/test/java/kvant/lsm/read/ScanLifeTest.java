package kvant.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Test;

/// A scan is broken off when it is older than `maxScanLife`, so that it does not keep old files for ever.
class ScanLifeTest {

    private static final int KEYS = 100;

    private final HeapStorage storage = new HeapStorage();

    @Test
    void aScanThatIsTooOldIsBrokenOff() {
        try (LsmEngine engine = open(Duration.ofNanos(1))) {
            fill(engine, 0);
            try (Cursor cursor = engine.scan(new byte[0], null)) {
                assertThatThrownBy(cursor::next)
                        .isInstanceOf(EngineException.Busy.class)
                        .hasMessageEndingWith("was broken off: continue after its last key");
                assertThatThrownBy(cursor::next).isInstanceOf(EngineException.Busy.class);
            }
            assertThat(engine.get(Samples.bytes(key(0))))
                    .as("other reads continue")
                    .isNotNull();
        }
    }

    @Test
    void aScanIsBrokenOffInItsMiddleAndItsFilesAreFreed() {
        try (LsmEngine engine = open(Duration.ofSeconds(2))) {
            fill(engine, 0);
            long heldBytes;
            try (Cursor cursor = engine.scan(Range.all())) {
                assertThat(cursor.next()).isTrue();
                assertThat(Samples.text(cursor.key())).isEqualTo(key(0));
                for (int round = 1; round <= 30; round++) {
                    fill(engine, round);
                }
                engine.awaitRest();
                // The bound is on the time, not on the moves: it moves on at a record now and then.
                await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                        .pollInterval(Duration.ofMillis(100))
                        .until(() -> isBrokenOff(cursor));
                heldBytes = tableBytes();
            }
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> tableBytes() < heldBytes);
        }
    }

    @Test
    void aFinishedScanStaysFinishedWhateverItsAge() {
        try (LsmEngine engine = open(Duration.ofNanos(1));
                Cursor cursor = engine.scan(Samples.bytes("k"), null)) {
            assertThat(cursor.next()).as("nothing is there").isFalse();
            assertThat(cursor.next()).isFalse();
        }
    }

    private static boolean isBrokenOff(Cursor cursor) {
        try {
            assertThat(cursor.next()).as("not at its end yet").isTrue();
            return false;
        } catch (EngineException.Busy e) {
            return true;
        }
    }

    private LsmEngine open(Duration life) {
        LsmOptions options = LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(o -> {
                    o.memtableBytes = 20 << 10;
                    o.table = new TableOptions(512, 20 << 10);
                    o.compaction = CompactionOptions.of(new Universal(2, 3));
                    o.maxScanLife = life;
                });
        return TestEngines.open(storage, options);
    }

    private static void fill(LsmEngine engine, int round) {
        String value = ("round " + round + " ").repeat(100);
        for (int i = 0; i < KEYS; i++) {
            Samples.write(engine, Samples.put(key(i), value));
        }
    }

    private long tableBytes() {
        return storage.totalBytes(name -> FileNames.tableNumber(name) != null);
    }

    private static String key(int number) {
        return "key-%04d".formatted(number);
    }
}
