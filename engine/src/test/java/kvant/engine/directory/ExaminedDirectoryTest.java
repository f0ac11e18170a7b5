package kvant.engine.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Looking at a data directory changes nothing in it, and keeps nodes out meanwhile. What other processes see of the
/// lock is tested with processes.
class ExaminedDirectoryTest {

    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void create() {
        data = folder.resolve("data");
        DataDirectory.open(data, "lsm").close();
    }

    @Test
    void saysWhoseItIsAndChangesNothing() throws IOException {
        String lock = Files.readString(data.resolve("LOCK"));
        try (ExaminedDirectory directory = ExaminedDirectory.open(data)) {
            assertThat(directory.engine()).isEqualTo("lsm");
            assertThat(directory.path()).isEqualTo(data);
        }
        assertThat(ExaminedDirectory.engine(data)).isEqualTo("lsm");
        assertThat(names(data)).containsExactly("KVANT", "LOCK");
        assertThat(data.resolve("LOCK")).hasContent(lock);
        DataDirectory.open(data, "lsm").close();
    }

    @Test
    void isRefusedWhileTheDirectoryIsHeld() {
        try (DataDirectory _ = DataDirectory.open(data, "lsm")) {
            assertThatThrownBy(() -> ExaminedDirectory.open(data))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining("held by");
            assertThat(ExaminedDirectory.engine(data)).isEqualTo("lsm");
        }
    }

    @Test
    void keepsNodesOut() {
        try (ExaminedDirectory _ = ExaminedDirectory.open(data)) {
            assertThatThrownBy(() -> DataDirectory.open(data, "lsm"))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining("held by");
        }
        DataDirectory.open(data, "lsm").close();
    }

    @Test
    void aCopyWithoutALockIsLookedAtToo() throws IOException {
        Files.delete(data.resolve("LOCK"));
        try (ExaminedDirectory directory = ExaminedDirectory.open(data)) {
            assertThat(directory.engine()).isEqualTo("lsm");
        }
        assertThat(names(data)).containsExactly("KVANT");
    }

    @Test
    void oneFlippedBitInTheMarkerIsRefused() throws IOException {
        Path marker = data.resolve("KVANT");
        byte[] whole = Files.readAllBytes(marker);
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(marker, damaged);
            assertThatThrownBy(() -> ExaminedDirectory.engine(data))
                    .isInstanceOfAny(EngineException.Corruption.class, EngineException.CannotOpen.class)
                    .hasMessageContaining(data.toString());
        }
    }

    @Test
    void aNewDirectoryIsMadeOnceAndForItsOwnerAlone() throws IOException {
        Path fresh = folder.resolve("fresh");
        DataDirectory.create(fresh, "rocksdb", data);

        assertThat(ExaminedDirectory.engine(fresh)).isEqualTo("rocksdb");
        assertThat(Files.getPosixFilePermissions(fresh)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(() -> DataDirectory.create(fresh, "lsm", data))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
