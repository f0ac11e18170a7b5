package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import kvant.lab.profile.JvmProcess.ProfilerLibrary;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no profiler for Windows")
class ProfilerLibraryTest {

    @TempDir
    private Path temporary;

    @Test
    void theLibraryIsItsOwnersAloneAndGoesAway() throws IOException {
        Path file;
        try (ProfilerLibrary library = ProfilerLibrary.extract(temporary, 17)) {
            file = library.file();
            Files.writeString(library.log(), "a word");
            assertThat(file).isNotEmptyFile();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void itsPathIsTheSameEachTimeAndAnotherForEachProcess() {
        Path first;
        try (ProfilerLibrary library = ProfilerLibrary.extract(temporary, 17)) {
            first = library.file();
            try (ProfilerLibrary other = ProfilerLibrary.extract(temporary, 18)) {
                assertThat(other.file()).isNotEqualTo(first);
            }
        }
        try (ProfilerLibrary again = ProfilerLibrary.extract(temporary, 17)) {
            assertThat(again.file()).isEqualTo(first);
        }
    }

    @Test
    void whatAKilledRunLeftIsReplaced() throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("kvant-profiler-17"));
        Files.writeString(folder.resolve("libasyncProfiler-00000000.so"), "old");
        Files.writeString(folder.resolve("log"), "old");

        ProfilerLibrary.extract(temporary, 17).close();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aFolderOfSomebodyElseIsNotTouched() throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("kvant-profiler-17"));
        Path letter = Files.writeString(folder.resolve("letter"), "dear");

        assertThatThrownBy(() -> ProfilerLibrary.extract(temporary, 17))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("cannot put the profiler's library into " + folder);
        assertThat(letter).exists();
    }

    @Test
    void aLinkIsReplacedAndNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path victim = Files.writeString(elsewhere.resolve("log"), "dear");
        Files.createSymbolicLink(temporary.resolve("kvant-profiler-17"), elsewhere);

        try (ProfilerLibrary library = ProfilerLibrary.extract(temporary, 17)) {
            assertThat(Files.isSymbolicLink(library.file().getParent())).isFalse();
        }
        assertThat(victim).hasContent("dear");
    }

    @ParameterizedTest
    @CsvSource({"Linux,amd64,linux-x64", "Linux,aarch64,linux-arm64", "Mac OS X,aarch64,macos"})
    void eachMachineHasItsLibrary(String system, String processor, String folder) {
        assertThat(ProfilerLibrary.machine(system, processor)).isEqualTo(folder);
        assertThat(ClassLoader.getSystemResource(folder + "/libasyncProfiler.so"))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"Windows 11,amd64", "Linux,riscv64", "FreeBSD,amd64"})
    void aMachineWithoutOneIsOneLine(String system, String processor) {
        assertThatThrownBy(() -> ProfilerLibrary.machine(system, processor))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("there is no profiler for " + system + " on " + processor);
    }
}
