package kvant.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.directory.ExaminedDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Recovery after a process died, its log failed or a file was damaged.
class RocksDbRecoveryTest {

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"always", "interval=1000", "none"})
    void everyAcknowledgedWriteSurvivesAKill(String durability) throws Exception {
        int acknowledged = -1;
        Process child = Child.start(directory(), durability, 100, 0);
        try (BufferedReader output = Child.output(child)) {
            for (int lines = 0; lines < 2_000; lines++) {
                acknowledged = Math.max(acknowledged, number(output.readLine()));
            }
            child.destroyForcibly();
            child.waitFor();
        }
        assertThat(acknowledged).isGreaterThanOrEqualTo(1_999);
        assertHolds(acknowledged, 100);
    }

    /// The limit on file sizes makes an append to the log fail, as a broken disk would.
    @Test
    void aFailedLogStopsWritesUntilARestart() throws Exception {
        int acknowledged = -1;
        String end = "";
        Process child = Child.start(directory(), "always", 20_000, 4 << 20);
        try (BufferedReader output = Child.output(child)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(Child.LOG_FAILED)) {
                    end = line;
                } else {
                    acknowledged = Math.max(acknowledged, number(line));
                }
            }
            child.waitFor();
        }
        assertThat(end).isEqualTo(Child.LOG_FAILED + "go on");
        assertThat(acknowledged).isGreaterThan(16);
        assertHolds(acknowledged, 20_000);
    }

    @Test
    void aTornTailOfTheLogIsCut() throws Exception {
        fill(100);
        Path log = newestLog();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 3);
        }
        try (Engine engine = open(Durability.ALWAYS)) {
            assertThat(Samples.scan(engine, "", null)).hasSize(99);
            Samples.write(engine, Samples.put("key0099", "again"));
        }
        try (Engine engine = open(Durability.ALWAYS)) {
            assertThat(Samples.scan(engine, "", null)).hasSize(100);
        }
    }

    @Test
    void damageInTheMiddleOfTheLogRefusesToOpen() throws Exception {
        fill(1_000);
        Path log = newestLog();
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 0x10;
        Files.write(log, bytes);
        assertThatThrownBy(() -> open(Durability.ALWAYS))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining("rocksdb")
                .hasMessageNotContaining("\n");
        bytes[bytes.length / 2] ^= 0x10;
        Files.write(log, bytes);
        try (Engine engine = open(Durability.ALWAYS)) {
            assertThat(Samples.scan(engine, "", null)).hasSize(1_000);
        }
    }

    /// A check that calls sound what no node opens is worse than none.
    @Test
    void aCheckAndAStartAgreeOnEveryFlippedBitOfTheLog() throws Exception {
        fill(200);
        Path log = newestLog();
        byte[] whole = Files.readAllBytes(log);
        assertThat(problem(directory())).isNull();
        int refusals = 0;
        for (int i = 0; i < 24; i++) {
            byte[] damaged = whole.clone();
            int at = (int) ((long) whole.length * i / 24);
            damaged[at] ^= (byte) (1 << i % 8);
            Path copy = copy("flip" + i);
            Path copiedLog = copy.resolve(directory().relativize(log));
            Files.write(copiedLog, damaged);

            String problem = problem(copy);

            assertThat(copiedLog).as("the check changes nothing").hasBinaryContent(damaged);
            boolean opens = opens(copy);
            assertThat(problem == null).as("sound, byte %d: %s", at, problem).isEqualTo(opens);
            refusals += opens ? 0 : 1;
        }
        assertThat(refusals).isGreaterThan(20);
    }

    private static @Nullable String problem(Path data) {
        try (ExaminedDirectory examined = ExaminedDirectory.open(data)) {
            return RocksDbCheck.run(examined);
        }
    }

    private static boolean opens(Path data) {
        try (Engine _ = RocksDbEngine.open(data, RocksDbOptions.defaults())) {
            return true;
        } catch (EngineException.CannotOpen _) {
            return false;
        }
    }

    private Path copy(String name) throws IOException {
        Path copy = temporary.resolve(name);
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path each : files.toList()) {
                Files.copy(each, copy.resolve(directory().relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    private void fill(int count) {
        try (Engine engine = open(Durability.ALWAYS)) {
            for (int i = 0; i < count; i++) {
                Samples.write(engine, Samples.put(String.format("key%04d", i), "value " + i));
            }
        }
    }

    private void assertHolds(int acknowledged, int valueBytes) {
        String value = "v".repeat(valueBytes);
        try (Engine engine = open(Durability.ALWAYS)) {
            for (int i = 0; i <= acknowledged; i++) {
                assertThat(Samples.get(engine, "key" + i)).as("key%d", i).isEqualTo(i + value);
            }
        }
    }

    private static int number(String line) {
        assertThat(line).as("output of the child").startsWith(Child.ACKNOWLEDGED);
        return Integer.parseInt(line.substring(Child.ACKNOWLEDGED.length()));
    }

    private Engine open(Durability durability) {
        return RocksDbEngine.open(directory(), RocksDbOptions.defaults().withDurability(durability));
    }

    private Path directory() {
        return temporary.resolve("data");
    }

    private Path newestLog() throws IOException {
        try (Stream<Path> files = Files.list(directory().resolve("rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
