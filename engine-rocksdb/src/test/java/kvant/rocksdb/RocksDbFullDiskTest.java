package kvant.rocksdb;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A disk that fills up and gets room again. Needs the right to mount a small file system; not run without
/// it.
class RocksDbFullDiskTest {

    private static final int DISK_MEGABYTES = 24;
    private static final int VALUE_BYTES = 50_000;
    private static final int MOST_VALUES = (DISK_MEGABYTES << 20) / VALUE_BYTES;
    private static final int BALLAST_BYTES = 12 << 20;

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"always", "none"})
    void writesStopOnAFullDiskAndResumeByThemselves(String durability) throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MEGABYTES + "m", "tmpfs", disk.toString()))
                .as("not run here: no right to mount")
                .isZero();
        try {
            fillAndFree(disk, Durability.parse(durability));
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static void fillAndFree(Path disk, Durability durability) throws IOException {
        Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[BALLAST_BYTES]);
        RocksDbOptions options =
                RocksDbOptions.defaults().withDurability(durability).withWriteBufferBytes(1 << 20);
        int acknowledged = 0;
        try (Engine engine = RocksDbEngine.open(disk.resolve("data"), options)) {
            Write last = write(engine, acknowledged);
            while (last.failure() == null) {
                acknowledged++;
                assertThat(acknowledged).as("more than the disk can hold").isLessThan(MOST_VALUES);
                last = write(engine, acknowledged);
            }
            assertThat(last.failure()).isInstanceOf(EngineException.StorageFull.class);
            assertThat(engine.health().ready()).isFalse();
            assertThat(Samples.get(engine, key(0))).isEqualTo(value(0));
            assertThat(Samples.get(engine, key(acknowledged - 1))).isEqualTo(value(acknowledged - 1));

            Files.delete(ballast);
            int next = acknowledged;
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> write(engine, next).failure() == null);
            acknowledged++;
            assertThat(engine.health().ready()).isTrue();
        }
        try (Engine engine = RocksDbEngine.open(disk.resolve("data"), options)) {
            for (int i = 0; i < acknowledged; i++) {
                assertThat(Samples.get(engine, key(i))).isEqualTo(value(i));
            }
        }
    }

    private static Write write(Engine engine, int i) {
        return Samples.settle(engine, WriteBatch.of(put(key(i), value(i))));
    }

    private static String key(int i) {
        return "key" + i;
    }

    private static String value(int i) {
        return Samples.text(Samples.noise(VALUE_BYTES, i));
    }

    /// @return the exit code; -1 where there is no such command
    private static int run(String... command) throws InterruptedException, IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException _) {
            return -1;
        }
        process.getInputStream().readAllBytes();
        process.waitFor(10, TimeUnit.SECONDS);
        return process.exitValue();
    }
}
