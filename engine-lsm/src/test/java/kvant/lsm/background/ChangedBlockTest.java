package kvant.lsm.background;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.SampleStores;
import kvant.lsm.Seeds;
import kvant.lsm.TestEngines;
import kvant.lsm.operate.Findings;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.store.Quarantine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The disk returns other bytes of a plain block than those whose checksum a get has found right: a page that the
/// kernel had evicted and has read again.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangedBlockTest {

    private static final long SEED = Seeds.seed(97);
    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 200;
    private static final int CHANGED = 7;

    @TempDir
    Path folder;

    @Test
    void isNotMergedIntoANewTable() throws IOException {
        String file;
        try (LsmEngine engine = open()) {
            fill(engine);
            file = change();
            assertThat(Samples.get(engine, key(CHANGED)))
                    .as("gets trust what was checked since the table was opened")
                    .isEqualTo(changed());

            assertThatThrownBy(() -> engine.maintenance().compact(_ -> {}))
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining(file);

            assertThat(quarantine(engine).tables().stream().map(FileNames::table))
                    .containsExactly(file);
            assertThat(tablesWith(changed())).containsExactly(file);
            assertThatThrownBy(() -> Samples.get(engine, key(CHANGED)))
                    .as("gets trust it no more")
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining(file);
            for (int i = 1 - CHANGED % 2; i < KEYS; i += 2) {
                assertThat(Samples.get(engine, key(i))).as("of the other table").isEqualTo(value(i));
            }
        }
        assertThat(new Findings(DiskStorage.open(tables())).files())
                .containsExactly(tables().resolve(file).toString());
    }

    @Test
    void isFoundWhenItsTableIsReadThrough() throws IOException {
        try (LsmEngine engine = open()) {
            fill(engine);
            String file = change();
            Quarantine quarantine = quarantine(engine);

            quarantine.suspect(List.of(Long.parseLong(file.replace(".table", ""))));
            TestEngines.store(engine).signal();

            await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                    .until(() ->
                            quarantine.reason() != null || quarantine.tables().isEmpty());
            assertThat(quarantine.reason())
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining(file);
        }
    }

    /// Two runs of the same range of keys, of which every block is read.
    private static void fill(LsmEngine engine) {
        for (int run = 0; run < 2; run++) {
            List<Mutation> mutations = new ArrayList<>();
            for (int i = 1 - run; i < KEYS; i += 2) {
                mutations.add(put(key(i), value(i)));
            }
            Samples.write(engine, mutations.toArray(Mutation[]::new));
        }
        Samples.write(engine, Samples.delete("none")); // flushes what came before
        engine.awaitRest();
        for (int i = 0; i < KEYS; i++) {
            assertThat(Samples.get(engine, key(i))).isEqualTo(value(i));
        }
    }

    /// Flips a bit of a value, in the file that is mapped.
    ///
    /// @return name of the file
    private String change() throws IOException {
        String file = tablesWith(value(CHANGED)).getFirst();
        Path path = tables().resolve(file);
        int at = text(path).indexOf(value(CHANGED));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) changed().charAt(0)}), at);
        }
        return file;
    }

    private List<String> tablesWith(String value) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(tables())) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".table") && text(file).contains(value)) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private Path tables() {
        return folder.resolve("data").resolve(FileNames.DIRECTORY);
    }

    private LsmEngine open() {
        return LsmEngine.open(folder.resolve("data"), SampleStores.options(EVERY_GROUP, SEED));
    }

    private static Quarantine quarantine(LsmEngine engine) {
        return TestEngines.store(engine).health().quarantine();
    }

    private static String key(int number) {
        return "key-%03d".formatted(number);
    }

    private static String value(int number) {
        return "value-%03d-".formatted(number) + "x".repeat(60);
    }

    private static String changed() {
        return "w" + value(CHANGED).substring(1); // one bit of its first byte
    }
}
