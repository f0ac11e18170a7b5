package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `kvant profile` and `kvant profile diff` against a real node.
@EnabledOnOs(OS.LINUX)
class ProfileCommandTest {

    @TempDir
    private static Path folder;

    private static ChildNode node;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void startNode() throws IOException, InterruptedException {
        node = ChildNode.serve(folder.resolve("data"), "--durability", "none");
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    private int kvant(String... arguments) {
        return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void aNodeIsProfiledByItsAddressAndComparedWithItself() {
        Path profile = folder.resolve("a");
        int code = kvant("profile", "--url", node.url(), "-d", "500ms", "-o", profile.toString(), "-t");

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "cpu  ",
                        "alloc",
                        "lock ",
                        "wall ",
                        profile.resolve("wall.html").toString());
        assertThat(err.toString()).contains("kvant: profiling process " + node.pid() + " for 500ms");
        assertThat(profile.resolve("wall.collapsed")).content().contains("[main tid=");
        assertThat(profile.resolve("profile.json")).content().contains("\"pid\": " + node.pid());

        Path changed = folder.resolve("changed");
        assertThat(kvant("profile", "diff", profile.toString(), profile.toString(), "-o", changed.toString()))
                .as(err.toString())
                .isZero();
        assertThat(changed.resolve("diff-a-a-wall.html")).isNotEmptyFile();
        assertThat(changed.resolve("diff-a-a-wall.json")).content().contains("\"frames\": []");
    }

    @Test
    void slowRequestsThatWereNotThereAreMissing() {
        Path profile = folder.resolve("slow");
        String pid = Long.toString(node.pid());
        int code =
                kvant("profile", "--pid", pid, "-e", "lock", "-d", "100ms", "--slow", "1h", "-o", profile.toString());

        assertThat(code).as(err.toString()).isZero();
        assertThat(err.toString()).contains("kvant: no slow: the process reported no request");
        assertThat(profile.resolve("lock.html")).isNotEmptyFile();
        assertThat(profile.resolve("cpu.html")).doesNotExist();
        assertThat(profile.resolve("slow.html")).doesNotExist();
    }

    /// SIGINT and SIGTERM are heard by the same code.
    @Test
    void aProfileThatIsInterruptedIsWhole() throws Exception {
        Path profile = folder.resolve("interrupted");
        List<String> command =
                List.of("profile", "--url", node.url(), "-d", "10m", "-e", "wall", "-o", profile.toString());
        try (ChildNode child = ChildNode.run(List.of("-Xmx128m"), command)) {
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> Files.exists(profile.resolve("profile.jfr"))); // signals are heard before it is there
            child.terminate();

            assertThat(child.awaitExit()).isZero();
        }
        assertThat(profile.resolve("wall.html")).isNotEmptyFile();
        assertThat(profile.resolve("profile.json")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "                               | one process is needed: '--pid P' or '--url URL'",
                "--pid 5 --url http://127.0.0.1 | one process is needed: '--pid P' or '--url URL'",
                "--pid x                        | 'x' is not the number of a process",
                "--pid 0                        | '0' is not the number of a process",
                "--pid -4                       | '-4' is not the number of a process",
                "--pid 99999999999999999999     | is not the number of a process",
                "--url 127.0.0.1:8080           | is not a URL",
                "--url ftp://127.0.0.1          | only http://, https:// and redis:// can be measured",
                "--pid 5 -e cpu,heat            | 'heat' is not one of cpu, alloc, lock, wall",
                "--pid 5 -e cpu,                | '' is not one of cpu, alloc, lock, wall",
                "--pid 5 -d 30                  | '30' has no unit",
                "--pid 5 -d 0s                  | a profile takes from 100ms to 24h, not 0s",
                "--pid 5 -d 25h                 | a profile takes from 100ms to 24h, not 25h",
                "--pid 5 --slow fast            | '--slow': 'fast' is not a time",
                "--pid 5 --nonsense             | unknown option '--nonsense'",
                "diff one                       | 'B' is needed",
                "diff one two three             | unexpected argument 'three'"
            })
    void aWrongCommandLineIsOneLineAndExitCode2(String arguments, String message) {
        int code = kvant(
                ("profile " + (arguments == null ? "" : arguments)).strip().split(" +"));

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: ")
                .contains(message);
        assertThat(out.toString()).isEmpty();
        assertThat(code).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pid 2000000000           | there is no process 2000000000",
                "--url http://127.0.0.1:1   | no process listens on 127.0.0.1:1",
                "--url http://192.0.2.7     | is not an address of this machine",
                "--url http://nowhere.invalid | cannot find the host 'nowhere.invalid'",
                "diff none nothing          | no event has samples in both none and nothing: are these profiles?"
            })
    void whatCannotBeProfiledIsOneLineAndExitCode1(String arguments, String message) {
        int code = kvant(("profile " + arguments).split(" +"));

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: ")
                .contains(message);
        assertThat(code).isEqualTo(1);
    }

    @Test
    void aDirectoryThatCannotBeIsOneLineAndExitCode1() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        int code = kvant("profile", "--url", node.url(), "-o", file.toString());

        assertThat(err.toString().lines())
                .containsExactly("kvant: cannot write profiles to " + file + ": something else has that name");
        assertThat(code).isEqualTo(1);
    }
}
