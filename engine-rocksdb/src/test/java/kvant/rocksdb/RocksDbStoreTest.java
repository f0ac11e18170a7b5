package kvant.rocksdb;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import kvant.engine.Condition;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Promises of this engine alone: presets, versions, damage, native life time.
class RocksDbStoreTest {

    @TempDir
    private Path temporary = Path.of("");

    @Test
    void aStoreOpensWithEitherPreset() {
        Preset[] presets = {Preset.DEFAULT, Preset.TUNED, Preset.DEFAULT};
        for (int round = 0; round < presets.length; round++) {
            try (RocksDbEngine engine = open(RocksDbOptions.defaults().withPreset(presets[round]))) {
                assertThat(Samples.scan(engine, "", null)).hasSize(round);
                Samples.write(engine, put("key" + round, "v"));
                engine.flush();
            }
        }
    }

    @Test
    void aRemovedDirectoryStopsWritesAndShowsInHealth() throws IOException {
        Path away = temporary.resolve("away");
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            Samples.write(engine, put("a", "1"));
            Files.move(temporary.resolve("data"), away);
            assertThat(engine.health().ready()).as("noticed without a write").isFalse();

            Awaitility.await()
                    .atMost(Duration.ofNanos(Samples.timeoutNanos()))
                    .untilAsserted(() -> assertThat(Samples.settle(engine, WriteBatch.of(put("b", "2")))
                                    .failure())
                            .isInstanceOf(EngineException.LogFailed.class)
                            .hasMessageContainingAll("was removed or renamed", "restart"));

            assertThat(Samples.get(engine, "a")).as("reads continue").isEqualTo("1");
            Files.move(away, temporary.resolve("data"));
            assertThat(engine.health().ready()).as("until a restart").isFalse();
        }
    }

    @Test
    void aValueThatIsNotWantedStaysInTheStore() {
        int length = 4 << 20;
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            long version = Samples.write(engine, new Mutation.Put(bytes("key"), Samples.noise(length, 1)));
            for (int round = 0; round < 2; round++) {
                assertThat(engine.tryGet(bytes("key"), Lookup.Filter.NONE))
                        .isIn(new Lookup.Described(version, length), Lookup.Miss.WOULD_BLOCK);
                assertThat(allocatedBy(() -> engine.get(bytes("key"), Lookup.Filter.NONE)))
                        .isLessThan(256 << 10);
                assertThat(engine.get(bytes("key"), Lookup.Filter.NONE))
                        .isEqualTo(new Lookup.Described(version, length));
                assertThat(allocatedBy(() -> engine.get(bytes("key")))).isGreaterThan(length);
                engine.flush();
            }
        }
    }

    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        work.run(); // classes
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void versionsAreRocksDbsOwnSequenceNumbers() {
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            for (int i = 0; i < 10; i++) {
                long version = Samples.write(engine, put("a", "1"), Samples.delete("b"), put("b", "2"), put("a", "3"));
                assertThat(version).isEqualTo(engine.latestSequenceNumber());
                assertThat(Samples.version(engine, "a")).isEqualTo(version);
                assertThat(Samples.version(engine, "b")).isEqualTo(version - 1);
            }
        }
    }

    @Test
    void versionsGrowOnAfterEverythingWasDeletedAndCompactedAway() {
        long last = 0;
        for (int round = 0; round < 4; round++) {
            try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
                long version = Samples.write(engine, put("key", "v"));
                assertThat(version).isGreaterThan(last);
                last = Samples.write(engine, Samples.delete("key"));
                engine.flush();
                engine.compact();
            }
        }
    }

    @Test
    void aVersionSurvivesTheCompactionThatForgetsSequenceNumbers() {
        long version;
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            version = Samples.write(engine, put("key", "v"));
            engine.flush();
            engine.compact();
        }
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            assertThat(Samples.version(engine, "key")).isEqualTo(version);
        }
    }

    @Test
    void aDamagedBlockIsNamedAndNeverTakenForAbsence() throws Exception {
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            for (int i = 0; i < 100; i++) {
                Samples.write(engine, put("key" + i, "value " + i));
            }
            engine.flush();
        }
        Path table = file(".sst");
        byte[] content = Files.readAllBytes(table);
        content[100] ^= 1;
        Files.write(table, content);
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            for (int i = 0; i < 100; i++) {
                byte[] key = bytes("key" + i);
                assertThat(engine.tryGet(key)).isNotEqualTo(Lookup.Miss.ABSENT);
                assertThatThrownBy(() -> engine.get(key))
                        .isInstanceOfSatisfying(
                                EngineException.Corruption.class,
                                damage -> assertThat(damage.file()).contains(String.valueOf(table.getFileName())));
            }
            assertThatThrownBy(() -> Samples.scan(engine, "", null)).isInstanceOf(EngineException.Corruption.class);
            Write judgedOnDamage =
                    Samples.settle(engine, WriteBatch.of(put("key1", "x")).when(new Condition.Absent()));
            assertThat(judgedOnDamage.failure()).isInstanceOf(EngineException.Corruption.class);
            Samples.write(engine, put("other", "fine"));
            assertThat(Samples.get(engine, "other")).isEqualTo("fine");
            assertThat(engine.health().ready()).isTrue();
        }
    }

    @Test
    void aMissingTableRefusesToOpen() throws Exception {
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            Samples.write(engine, put("key", "v"));
            engine.flush();
        }
        Path table = file(".sst");
        Files.delete(table);
        assertThatThrownBy(() -> open(RocksDbOptions.defaults()))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining(String.valueOf(table.getFileName()))
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFailedOpenGivesTheDirectoryUp() throws Exception {
        Files.createDirectories(temporary.resolve("data"));
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            Samples.write(engine, put("key", "v"));
        }
        Path current = temporary.resolve("data/rocksdb/CURRENT");
        byte[] good = Files.readAllBytes(current);
        Files.writeString(current, "nonsense");
        assertThatThrownBy(() -> open(RocksDbOptions.defaults())).isInstanceOf(EngineException.CannotOpen.class);
        Files.write(current, good);
        try (RocksDbEngine engine = open(RocksDbOptions.defaults())) {
            assertThat(Samples.get(engine, "key")).isEqualTo("v");
        }
    }

    @Test
    void theStoresFolderIsForItsOwnerOnly() throws Exception {
        open(RocksDbOptions.defaults()).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("data/rocksdb"))))
                .isEqualTo("rwx------");
    }

    @Test
    void optionsAreChecked() {
        RocksDbOptions options = RocksDbOptions.defaults();
        assertThat(options.preset()).isEqualTo(Preset.TUNED);
        assertThatIllegalArgumentException().isThrownBy(() -> options.withBackgroundThreads(0));
        assertThatIllegalArgumentException().isThrownBy(() -> options.withBlockCacheBytes(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withWriteBufferBytes(1))
                .withMessageContaining("writeBufferBytes");
    }

    @Test
    void aStoreIsOpenedAndClosedManyTimes() {
        for (int i = 0; i < 20; i++) {
            try (Engine engine = open(RocksDbOptions.defaults())) {
                engine.scan(bytes(""), null).next(); // left open on purpose
            }
        }
    }

    private RocksDbEngine open(RocksDbOptions options) {
        return RocksDbEngine.open(temporary.resolve("data"), options);
    }

    private Path file(String suffix) throws Exception {
        try (Stream<Path> files = Files.list(temporary.resolve("data/rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
