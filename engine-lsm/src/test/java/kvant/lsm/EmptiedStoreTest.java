package kvant.lsm;

import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A store all of whose files are gone is not taken for a new one.
class EmptiedStoreTest {

    @TempDir
    Path data;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isRefused(boolean directoryToo) throws IOException {
        try (LsmEngine engine = open()) {
            write(engine, put("a", "1"));
        }
        Path files = data.resolve("lsm");
        for (Path file : list(files)) {
            Files.delete(file);
        }
        if (directoryToo) {
            Files.delete(files);
        }
        for (int start = 0; start < 2; start++) {
            assertThatThrownBy(() -> open().close())
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContainingAll(files.resolve("MANIFEST").toString(), "is missing", "from a backup")
                    .hasMessageNotContaining("\n");
        }
    }

    /// The first start was cut off before there was a manifest.
    @Test
    void isNewWhereItHadNoManifestYet() throws IOException {
        Files.createDirectory(data.resolve("lsm"));
        Files.writeString(data.resolve("KVANT"), "kvant data directory\nlayout=1\nengine=lsm\n");
        try (LsmEngine engine = open()) {
            write(engine, put("a", "1"));
        }
        try (LsmEngine engine = open()) {
            assertThat(get(engine, "a")).isEqualTo("1");
        }
    }

    private LsmEngine open() {
        return LsmEngine.open(data, LsmOptions.defaults().withMemtable(1 << 20));
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
