package kvant.text.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/// A test that needs a program is left out where that is missing, or fails where it may not be missing.
class ToolTest {

    @TempDir
    Path folder;

    @Test
    void theFirstProgramOnThePathIsTaken() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Path full = Files.createDirectory(folder.resolve("full"));
        Files.createFile(empty.resolve("chromium")); // no program
        Path browser = Files.createFile(
                full.resolve("google-chrome"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        assertThat(Tool.CHROMIUM.need(empty + ":" + full, true)).isEqualTo(browser);
    }

    @Test
    void aTestWithoutItsProgramIsLeftOut() {
        assertThatThrownBy(() -> Tool.PROMTOOL.need(folder.toString(), false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("NOT RUN: promtool is not on PATH; it comes from prometheus");
    }

    @Test
    void whereToolsAreRequiredItFailsAndNamesThePackage() {
        assertThatThrownBy(() -> Tool.PROMTOOL.need(folder.toString(), true))
                .isInstanceOf(AssertionError.class)
                .hasMessage("needed, because KVANT_TOOLS=required: promtool is not on PATH; it comes from prometheus");
        assertThatThrownBy(() -> Tool.leaveOut("much was said\nno network\n\n", "PyPI", true))
                .isInstanceOf(AssertionError.class)
                .hasMessageEndingWith(": no network; it comes from PyPI");
    }

    @Test
    void theDocumentListsThem() throws IOException {
        String document = Files.readString(Path.of("..", "CONTRIBUTING.md"));
        List<String> listed = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| `([a-z0-9-]+)` \\|")
                .matcher(document)
                .results()
                .map(row -> row.group(1) + " of " + row.group(2))
                .toList();

        assertThat(listed)
                .containsExactlyElementsOf(Arrays.stream(Tool.values())
                        .map(tool -> tool.program() + " of " + tool.packageName())
                        .toList());
    }
}
