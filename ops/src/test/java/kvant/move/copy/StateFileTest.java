package kvant.move.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The state of a copy on a disk.
class StateFileTest {

    @TempDir
    private Path folder = Path.of("");

    private final CopyState state = new CopyState(
            "directory a=b", "node http://h:1", true, new byte[] {0, (byte) 0xFF, 'k'}, 123, 456_789, false);

    private StateFile file() {
        return new StateFile(folder.resolve("state"));
    }

    @Test
    void whatIsWrittenIsRead() {
        file().write(state);
        assertThat(file().read()).isEqualTo(state);
        file().write(state.end());
        assertThat(file().read()).isEqualTo(state.end());
        CopyState begin = CopyState.begin("", "", false);
        file().write(begin);
        assertThat(file().read()).isEqualTo(begin);
    }

    @Test
    void aMissingOneIsNone() {
        assertThat(file().read()).isNull();
        file().delete();
        file().write(state);
        file().delete();
        assertThat(file().read()).isNull();
    }

    @Test
    void aCrashBesideItLeavesTheOldOne() throws IOException {
        file().write(state);
        Files.writeString(folder.resolve("state.new"), "kvant copy st");
        assertThat(file().read()).isEqualTo(state);
        file().write(state.end());
        assertThat(file().read()).isEqualTo(state.end());
        assertThat(folder.resolve("state.new")).doesNotExist();
    }

    @Test
    void everyDamagedOrShortenedOneIsRefused() throws IOException {
        file().write(state);
        byte[] bytes = Files.readAllBytes(file().path());
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            Files.write(file().path(), damaged);
            refused("is damaged or not the state of a copy");
            Files.write(file().path(), Arrays.copyOf(bytes, i));
            refused("is damaged or not the state of a copy");
        }
    }

    @Test
    void whatCannotBeWrittenOrReadIsToldInOneLine() throws IOException {
        StateFile nowhere = new StateFile(folder.resolve("no/where"));
        assertThatThrownBy(() -> nowhere.write(state))
                .isInstanceOf(UserException.class)
                .message()
                .startsWith("cannot write the state ")
                .doesNotContain("\n");
        Files.createDirectory(file().path());
        refused("cannot read the state");
    }

    private void refused(String expected) {
        assertThatThrownBy(() -> file().read())
                .isInstanceOf(UserException.class)
                .hasMessageContaining(expected)
                .message()
                .doesNotContain("\n");
    }
}
