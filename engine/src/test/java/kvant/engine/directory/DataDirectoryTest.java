package kvant.engine.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import kvant.engine.EngineException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoryTest {

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    @TempDir
    private Path temporary = Path.of("");

    private Path path = Path.of("");

    @BeforeEach
    void choosePath() {
        path = temporary.resolve("data");
    }

    /// Another process: opens the directory, says what came of it, holds it until its input ends.
    static final class Other {
        private Other() {}

        static void main(String[] args) throws IOException {
            try (DataDirectory directory = DataDirectory.open(Path.of(args[0]), "test")) {
                System.out.println("opened " + directory.path());
                System.out.flush();
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (EngineException.CannotOpen e) {
                System.out.println("refused " + e.getMessage());
            }
        }
    }

    @Test
    void createsWhatIsMissingForItsOwnerOnly() throws IOException {
        Path deep = path.resolve("a/b");
        DataDirectory.open(deep, "test").close();
        for (Path directory : List.of(path, path.resolve("a"), deep)) {
            assertThat(modeOf(directory)).isEqualTo("rwx------");
        }
        assertThat(modeOf(deep.resolve("LOCK"))).isEqualTo("rw-------");
        assertThat(modeOf(deep.resolve("KVANT"))).isEqualTo("rw-------");
        assertThat(deep.resolve("KVANT.new")).doesNotExist();
    }

    @Test
    void opensAgainAfterAClose() {
        for (int i = 0; i < 3; i++) {
            try (DataDirectory directory = DataDirectory.open(path, "test")) {
                assertThat(directory.path()).isEqualTo(path);
            }
        }
    }

    @Test
    void theLockNamesItsOwner() throws IOException {
        try (DataDirectory _ = DataDirectory.open(path, "test")) {
            assertThat(path.resolve("LOCK"))
                    .hasContent("" + ProcessHandle.current().pid());
        }
    }

    @Test
    void aDirectoryHeldByThisProcessIsRefusedByEveryName() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), path);
        try (DataDirectory _ = DataDirectory.open(path, "test")) {
            refused(
                    path,
                    "held by this very process",
                    "" + ProcessHandle.current().pid());
            refused(path.resolve("."), "held");
            refused(link, "held");
        }
        DataDirectory.open(link, "test").close();
    }

    @Test
    void closingTwiceDoesNotGiveUpSomeoneElsesHold() {
        DataDirectory first = DataDirectory.open(path, "test");
        first.close();
        try (DataDirectory _ = DataDirectory.open(path, "test")) {
            first.close();
            refused(path, "held by this very process");
        }
    }

    @Test
    void aDirectoryHeldByAnotherProcessIsRefusedAndItsOwnerNamed() throws Exception {
        Process other = start();
        try (BufferedReader output = output(other)) {
            assertThat(output.readLine()).startsWith("opened");
            refused(path, "held by another process", "process " + other.pid());
            other.getOutputStream().close();
            other.waitFor();
            DataDirectory.open(path, "test").close();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aKilledOwnerLeavesTheDirectoryFree() throws Exception {
        Process other = start();
        try (BufferedReader output = output(other)) {
            assertThat(output.readLine()).startsWith("opened");
        } finally {
            other.destroyForcibly().waitFor();
        }
        DataDirectory.open(path, "test").close();
    }

    /// A file lock belongs to the process: closing a second descriptor of the file would give it up silently.
    @Test
    void aRefusedSecondOpenDoesNotGiveUpTheLock() throws Exception {
        try (DataDirectory _ = DataDirectory.open(path, "test")) {
            refused(path, "held");
            Process other = start();
            try (BufferedReader output = output(other)) {
                assertThat(output.readLine())
                        .startsWith("refused")
                        .contains("process " + ProcessHandle.current().pid());
            } finally {
                other.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void anotherEnginesDirectoryIsRefusedAndTheEngineNamed() {
        DataDirectory.open(path, "lsm").close();
        assertThatThrownBy(() -> DataDirectory.open(path, "rocksdb"))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContainingAll("'lsm'", "'rocksdb'", "--engine lsm", path.toString());
        DataDirectory.open(path, "lsm").close();
    }

    @Test
    void aNewerLayoutIsRefused() throws IOException {
        DataDirectory.open(path, "test").close();
        Path identity = path.resolve("KVANT");
        Files.writeString(identity, Files.readString(identity).replace("layout=1", "layout=2"));
        refused(path, "layout 2", "layout 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "engine=test",
                "kvant data directory\nlayout=1\n",
                "kvant data directory\nlayout=1\nengine=test\nmore",
                "kvant data directory\nlayout=1\nengine=test"
            })
    void aDamagedIdentityIsSaidToBeDamaged(String content) throws IOException {
        DataDirectory.open(path, "test").close();
        Files.writeString(path.resolve("KVANT"), content);
        assertThatThrownBy(() -> DataDirectory.open(path, "test"))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContainingAll(path.resolve("KVANT").toString(), "is damaged", "backup")
                .hasMessageNotContaining("\n");
        assertThat(path.resolve("KVANT")).hasContent(content);
    }

    @Test
    void anIdentityThatIsNoTextIsSaidToBeDamaged() throws IOException {
        DataDirectory.open(path, "test").close();
        Files.write(path.resolve("KVANT"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatThrownBy(() -> DataDirectory.open(path, "test"))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining("is damaged");
    }

    /// The link's target is neither truncated nor overwritten.
    @ParameterizedTest
    @ValueSource(strings = {"LOCK", "KVANT"})
    void aLinkInThePlaceOfAFileIsNotFollowed(String name) throws IOException {
        DataDirectory.open(path, "test").close();
        Path victim = Files.writeString(temporary.resolve("victim"), "precious");
        Files.delete(path.resolve(name));
        Files.createSymbolicLink(path.resolve(name), victim);

        refused(path, path.resolve(name) + " is a symbolic link");

        assertThat(victim).hasContent("precious");
        Files.delete(path.resolve(name));
        DataDirectory.open(path, "test").close();
    }

    @Test
    void aLinkInThePlaceOfTheNextIdentityIsReplacedAndNotFollowed() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        Path victim = Files.writeString(temporary.resolve("victim"), "precious");
        Files.createSymbolicLink(path.resolve("KVANT.new"), victim);

        DataDirectory.open(path, "test").close();

        assertThat(victim).hasContent("precious");
        assertThat(path.resolve("KVANT")).isRegularFile().content().contains("engine=test");
    }

    @Test
    void aLinkThatLeadsNowhereIsNoPlaceForALock() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        Files.createSymbolicLink(path.resolve("LOCK"), temporary.resolve("nowhere"));

        refused(path, "LOCK is a symbolic link");

        assertThat(temporary.resolve("nowhere")).doesNotExist();
    }

    @Test
    void aDirectoryThatIsALinkToNothingIsRefused() throws IOException {
        Files.createSymbolicLink(path, temporary.resolve("nowhere"));
        refused(path, path.toString(), "does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
    void aDirectoryThatOthersMayWriteIsRefused(String mode) throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));

        refused(path, path.toString(), mode, "chmod go-w");

        assertThat(path).isEmptyDirectory();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        DataDirectory.open(path, "test").close();
    }

    @Test
    void aDirectoryOfAnotherUserIsRefusedAndOneOfTheSuperuserIsNot() {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rwx------");

        assertThat(FileAccess.obstacle(path, 1000, 1001, mode)).contains(path.toString(), "1000", "1001", "chown");
        assertThat(FileAccess.obstacle(path, 1000, 0, mode))
                .as("a superuser, too")
                .contains("chown");
        assertThat(FileAccess.obstacle(path, 1000, 1000, mode)).isNull();
        assertThat(FileAccess.obstacle(path, 0, 1000, mode)).isNull();
    }

    @Test
    void aDirectoryThatWasGivenToAnotherUserIsRefused() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        boolean given = true;
        try {
            Files.setAttribute(path, "unix:uid", 12_345);
        } catch (IOException _) {
            given = false;
        }
        assumeThat(given)
                .as("not run here: only the superuser may give a directory away")
                .isTrue();

        refused(path, "belongs to another user (12345");
    }

    @Test
    void aDirectoryWithForeignFilesIsRefusedUntouched() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        Files.writeString(path.resolve("thesis.txt"), "precious");
        refused(path, "not a Kvant data directory", "thesis.txt");
        assertThat(path).isDirectoryContaining(file -> file.endsWith("thesis.txt"));
        assertThat(path.resolve("LOCK")).doesNotExist();
        assertThat(path.resolve("KVANT")).doesNotExist();
    }

    @Test
    void whatAnInterruptedFirstOpenLeftBehindIsFine() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        Files.writeString(path.resolve("LOCK"), "123456789");
        Files.writeString(path.resolve("KVANT.new"), "kvant data dir");
        Files.createDirectory(path.resolve("lost+found"));
        DataDirectory.open(path, "test").close();
        assertThat(path.resolve("KVANT")).content().contains("engine=test");
        assertThat(path.resolve("KVANT.new")).doesNotExist();
    }

    @Test
    void aFileInTheDirectorysPlaceIsRefused() throws IOException {
        Files.writeString(path, "a file");
        refused(path, "is a file");
        refused(path.resolve("below"), path + " is a file");
        assertThat(path).hasContent("a file");
    }

    @Test
    void aDirectoryWithoutPermissionIsRefused() throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-x------"));
        try {
            assumeThat(Files.isWritable(path))
                    .as("not run here: the superuser may write anywhere")
                    .isFalse();
            refused(path, "no permission");
        } finally {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aRemovedDirectoryIsNoticed() throws IOException {
        try (DataDirectory directory = DataDirectory.open(path, "test")) {
            assertThat(directory.displaced()).isNull();
            Files.delete(path.resolve("LOCK"));
            Files.delete(path.resolve("KVANT"));
            Files.delete(path);
            assertThat(directory.displaced()).contains(path.toString(), "was removed or renamed");
        }
    }

    /// Also by one that has a file of that name, and by that very directory's own when it comes back.
    @Test
    void aReplacedDirectoryIsNoticed() throws IOException {
        Path away = temporary.resolve("away");
        try (DataDirectory directory = DataDirectory.open(path, "test")) {
            Files.move(path, away);
            DataDirectory.create(path, "test", away);
            Files.writeString(path.resolve("LOCK"), Files.readString(away.resolve("LOCK")));
            assertThat(directory.displaced()).contains(path.toString(), "another directory");

            Files.move(path, temporary.resolve("other"));
            Files.move(away, path);
            assertThat(directory.displaced()).isNull();
        }
    }

    @Test
    void aFailedOpenHoldsNothing() throws IOException {
        Files.createDirectory(path, OWNER_ONLY);
        Path foreign = Files.writeString(path.resolve("foreign"), "");
        refused(path, "foreign");
        Files.delete(foreign);
        DataDirectory.open(path, "test").close();
    }

    private void refused(Path directory, String... words) {
        assertThatThrownBy(() -> DataDirectory.open(directory, "test"))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("\n");
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String modeOf(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
