package kvant.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Crew;
import kvant.engine.Durability;
import kvant.engine.Samples;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/// When the log is synced, by RocksDB's own count: a kill of the process alone cannot show it.
class RocksDbSyncTest {

    private static final int WRITES = 20;

    static {
        RocksDB.loadLibrary(); // the class of the statistics does not load it by itself
    }

    @TempDir
    private Path temporary = Path.of("");

    private Statistics statistics = new Statistics();

    @BeforeEach
    void startCounting() {
        statistics.close();
        statistics = new Statistics();
    }

    @AfterEach
    void stopCounting() {
        statistics.close();
    }

    @Test
    void alwaysSyncsBeforeItAcknowledges() {
        try (RocksDbEngine engine = open("always")) {
            for (int i = 1; i <= WRITES; i++) {
                Samples.write(engine, Samples.put("key" + i, "v"));
                assertThat(syncs()).isGreaterThanOrEqualTo(i);
            }
        }
    }

    @Test
    void intervalAcknowledgesFirstAndSyncsLater() {
        try (RocksDbEngine engine = open("interval=300")) {
            long start = System.nanoTime();
            Samples.write(engine, Samples.put("key", "v"));
            long syncsAtOnce = syncs();
            if (System.nanoTime() - start < 250_000_000) {
                assertThat(syncsAtOnce).isZero();
            }
            await().until(() -> syncs() == 1);
            Samples.write(engine, Samples.put("key", "v"));
            await().until(() -> syncs() == 2);
        }
    }

    @Test
    void intervalSyncsAlsoWhileWritesNeverCease() {
        try (RocksDbEngine engine = open("interval=20")) {
            AtomicBoolean stop = new AtomicBoolean();
            Crew.runAll(3, number -> {
                if (number == 0) {
                    await().until(() -> syncs() > 5);
                    stop.set(true);
                    return;
                }
                while (!stop.get()) {
                    Samples.write(engine, Samples.put("key" + number, "v"));
                }
            });
        }
    }

    @Test
    void noneSyncsOnlyAtTheEnd() {
        try (RocksDbEngine engine = open("none")) {
            for (int i = 0; i < WRITES; i++) {
                Samples.write(engine, Samples.put("key" + i, "v"));
            }
            assertThat(syncs()).isZero();
        }
        assertThat(syncs()).as("a close makes durable whatever the policy").isPositive();
    }

    private long syncs() {
        return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
    }

    private RocksDbEngine open(String durability) {
        RocksDbOptions options = RocksDbOptions.defaults().withDurability(Durability.parse(durability));
        return RocksDbEngine.open(temporary.resolve("data"), options, statistics);
    }
}
