package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/// Settings of a node from the command line, the environment and a file: precedence and error messages.
@Timeout(30) // what should have been refused might serve for ever
class ConfigurationTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment = new HashMap<>();

    @TempDir
    Path folder;

    private int execute(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.execute(environment, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("kvant.yaml"), text);
    }

    private String onlyError() {
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).hasSize(1);
        return err.toString();
    }

    @Test
    void theCommandLineWinsOverTheEnvironmentAndThatOverTheFile() throws IOException {
        Path file = file("port: 1\nhost: 127.0.0.2\nlsm:\n  memtable: 1MiB\n  compaction-threads: 2\n");
        environment.put("KVANT_PORT", "2");
        environment.put("KVANT_HOST", "127.0.0.3");
        environment.put("KVANT_CONFIG", file.toString());

        assertThat(execute("config", "print", "--port", "3")).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "host: 127.0.0.3  # KVANT_HOST",
                        "port: 3  # command line",
                        "lsm:",
                        "  memtable: 1MiB  # " + file + ":4",
                        "  compaction-threads: 2  # " + file + ":5");
    }

    @Test
    void theOptionThatNamesTheFileWinsOverTheVariable() throws IOException {
        environment.put("KVANT_CONFIG", folder.resolve("none.yaml").toString());
        Path file = file("workers: 3\n");

        assertThat(execute("config", "print", "--config", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo("workers: 3  # " + file + ":1\n");
        assertThat(execute("config", "print")).isEqualTo(2);
        assertThat(onlyError()).contains("none.yaml: there is no such file");
    }

    @Test
    void aFileWithoutANameIsRefused() {
        assertThat(execute("config", "print", "--config", "")).isEqualTo(2);
        assertThat(onlyError()).contains("'--config' needs a value");
    }

    @Test
    void nestedAndDottedKeysAreTheSameAndListsAreTaken() throws IOException {
        Path file = file("cassandra: {tls: true, tls.truststore: /t, contact-points: ['a:1', 'b:2']}\n"
                + "lsm.memtable: 1MiB\nengine: cassandra\ndebug: {safepoints: false}\n");
        assertThat(execute("config", "print", "--config", file.toString())).isEqualTo(2);
        assertThat(onlyError())
                .contains(
                        "'--lsm...' need '--engine lsm'", "engine by " + file + ":3", "lsm.memtable by " + file + ":2")
                .doesNotContain("safepoints");

        Files.writeString(file, Files.readString(file).replace("lsm.memtable: 1MiB\n", ""));
        assertThat(execute("config", "print", "--config", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("cassandra:\n  contact-points: \"a:1,b:2\"", "  tls: true", "  tls.truststore: /t")
                .contains("debug.safepoints: false");
    }

    @Test
    void whatIsPrintedIsAFileWithTheSameSettings() throws IOException {
        Path file = file("durability: interval=50\nqueue: unbounded\nallowed-hosts: [a.example, b]\ndebug-page: true\n"
                + "cassandra.tls: false\nhost: '::1'\ndata: 'a folder # and more'\n");
        assertThat(execute("config", "print", "--effective", "--config", file.toString()))
                .as(err.toString())
                .isZero();
        String first = out.toString();
        assertThat(first).contains("# port: 8080  (default)", "# mirror-to: not set", "host: \"::1\"");

        Path printed = Files.writeString(folder.resolve("printed.yaml"), first);
        assertThat(execute("config", "print", "--config", printed.toString()))
                .as(err.toString())
                .isZero();
        assertThat(withoutOrigin(out.toString())).isNotEmpty().isEqualTo(withoutOrigin(first));
        assertThat(execute("config", "check", "--config", printed.toString())).isZero();
        assertThat(out.toString()).contains("7 settings, valid");
        assertThat(execute("config", "check", "--config", printed.toString(), printed.toString()))
                .isEqualTo(2);
    }

    /// Also where a default depends on the machine, or on another option.
    @Test
    void defaultsArePrintedAsValuesThatOptionsTake() {
        for (String executor : List.of("adaptive", "async", "sync")) {
            assertThat(execute("config", "print", "--effective", "--executor", executor, "--lsm.memtable", "3MiB"))
                    .as(err.toString())
                    .isZero();
            List<String> line = new ArrayList<>(List.of("config", "print", "--executor", executor));
            for (String each : out.toString()
                    .lines()
                    .filter(each -> each.endsWith("  (default)"))
                    .toList()) {
                String value = each.replaceFirst("^# \\S+: (.*)  \\(default\\)$", "$1");
                assertThat(value).as(each).doesNotContain(" ");
                if (each.matches("# (lsm|admission|pool|workers|event|queue)\\S*: .*")
                        && !value.matches("true|false")) {
                    line.addAll(List.of("--" + each.replaceFirst("^# (\\S+):.*", "$1"), value));
                }
            }
            assertThat(line).contains("--lsm.cache", "--event-loops", "--admission.queued");
            if (!executor.equals("sync")) {
                line.removeAll(List.of("--pool.keep-alive", "60"));
                assertThat(line).contains("--workers", "--pool.max-workers");
                assertThat(execute(line.toArray(String[]::new)))
                        .as(line + ": " + err)
                        .isZero();
            }
        }
    }

    private static List<String> withoutOrigin(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("  # [^#]*$", ""))
                .toList();
    }

    @Test
    void aFlagThatIsSetElsewhereCanBeTakenBack() throws IOException {
        environment.put("KVANT_DEBUG_PAGE", "TRUE");
        assertThat(execute("config", "print", "--debug-page")).isZero();
        assertThat(out.toString()).isEqualTo("debug-page: true  # command line\n");
        assertThat(execute("config", "print", "--debug-page=false")).isZero();
        assertThat(out.toString()).isEqualTo("debug-page: false  # command line\n");

        Path file = file("debug-page: true\n");
        environment.put("KVANT_DEBUG_PAGE", "false");
        assertThat(execute("config", "print", "--config", file.toString())).isZero();
        assertThat(out.toString()).isEqualTo("debug-page: false  # KVANT_DEBUG_PAGE\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            prot: 1                       | :1: unknown key 'prot'; did you mean 'port'?
            memtable: 1MiB                | :1: unknown key 'memtable'; did you mean 'lsm.memtable'?
            "lsm:\n  memtabel: 1MiB"      | :2: unknown key 'lsm.memtabel'; did you mean 'lsm.memtable'?
            "lsm: {deep: {down: 1}}"      | :1: unknown key 'lsm.deep'
            config: other.yaml            | :1: unknown key 'config'
            help: true                    | :1: unknown key 'help'
            lsm: 1                        | :1: 'lsm' needs 'name: value' lines below it
            "# first\n\nport: x"          | 'x' is not a whole number (port by FILE:3)
            port: 70000                   | the port is 0 to 65535, not 70000 (port by FILE:1)
            "host: 0.0.0.0"               | there is no authentication
            "workers: 4\nexecutor: sync"  | (workers by FILE:1, executor by FILE:2)
            "lsm:\n  memtable: 1KiB"      | not 1 KiB (lsm.memtable by FILE:2)
            engine: foo                   | 'foo' is not one of lsm, rocksdb, cassandra (engine by FILE:1)
            debug-page: yes               | :1: 'debug-page' is true or false, not 'yes'
            port:                         | :1: 'port' needs a value
            "port: [1, 2]"                | :1: 'port' is one value, not a list
            "allowed-hosts: [a, 'b,c']"   | :1: 'b,c' is not one value of 'allowed-hosts'
            "port: 1\nport: 2"            | :2: 'port' for the second time
            "lsm: {memtable: 1MiB}\nlsm.memtable: 2MiB" | :2: 'lsm.memtable' for the second time
            just text                     | :1: here must be 'name: value' lines
            "port: {"                     | FILE:1
            "a: &a [x]\nport: *a"         | :1: unknown key 'a'
            "--- {}\n--- {}"              | FILE:2
            """)
    void aWrongFileIsExplainedInOneLineWithItsPlace(String text, String expected) throws IOException {
        Path file = file(text.replace("\\n", "\n"));
        Path data = folder.resolve("data");
        String wanted = expected.replace("FILE", file.toString());

        assertThat(execute("serve", "--data", data.toString(), "--config", file.toString()))
                .isEqualTo(2);
        assertThat(onlyError()).contains(wanted, "kvant help serve");
        assertThat(data).doesNotExist();
        assertThat(execute("config", "check", file.toString())).isEqualTo(1);
        if (!wanted.contains(" by ")) { // which is said of the kind of a value by serve alone
            assertThat(onlyError()).contains(wanted);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            KVANT_PROT=1                     | unknown variable 'KVANT_PROT'; did you mean 'KVANT_PORT'?
            KVANT_LSM_MEMTABEL=1MiB          | did you mean 'KVANT_LSM_MEMTABLE'?
            KVANT_PORT=tcp://10.0.0.1:8080   | 'tcp://10.0.0.1:8080' is not a whole number (port by KVANT_PORT)
            KVANT_DEBUG_PAGE=1               | KVANT_DEBUG_PAGE: 'debug-page' is true or false, not '1'
            KVANT_LSM_COMPACTION_THREADS=0   | (lsm.compaction-threads by KVANT_LSM_COMPACTION_THREADS)
            KVANT_CONFIG=/                   | cannot read /
            """)
    void aWrongVariableIsExplainedInOneLineWithItsName(String variable, String expected) {
        environment.put(variable.replaceFirst("=.*", ""), variable.replaceFirst("[^=]*=", ""));
        Path data = folder.resolve("data");

        assertThat(execute("serve", "--data", data.toString())).isEqualTo(2);
        assertThat(onlyError()).contains(expected);
        assertThat(data).doesNotExist();
    }

    @Test
    void variablesOfOthersAndEmptyOnesAreLeftAlone() {
        for (String name : List.of(
                "KVANT_JAVA_OPTS",
                "KVANT_TOOLS",
                "KVANT_SERVICE_HOST",
                "KVANT_SERVICE_PORT_HTTP",
                "KVANT_PORT_8080_TCP_ADDR",
                "KVANTUM",
                "PORT")) {
            environment.put(name, "x");
        }
        environment.put("KVANT_PORT", "");

        assertThat(execute("config", "print")).as(err.toString()).isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void commandsAboutADirectoryTakeItFromTheSamePlaces() throws IOException {
        Path file = file("data: " + folder.resolve("by file") + "\nport: 1\n");
        environment.put("KVANT_CONFIG", file.toString());
        for (String command : List.of("inspect", "check", "compact", "mirror status", "slow", "health")) {
            assertThat(execute(command.split(" "))).as(command).isEqualTo(1);
            assertThat(onlyError()).contains("by file");
        }
        environment.put("KVANT_DATA", folder.resolve("by variable").toString());
        assertThat(execute("mirror", "status")).isEqualTo(1);
        assertThat(onlyError()).contains("by variable");
        assertThat(execute("mirror", "status", "--data", folder.resolve("typed").toString()))
                .isEqualTo(1);
        assertThat(onlyError()).contains("typed");
        Files.writeString(file, "prot: 1\n");
        assertThat(execute("inspect")).isEqualTo(2);
        assertThat(onlyError()).contains(file + ":1: unknown key 'prot'");
    }

    @Test
    void aFileThatIsTooLongOrBinaryOrABombIsRefused() throws IOException {
        Path file = file("#" + "x".repeat(1 << 20));
        assertThat(execute("config", "check", file.toString())).isEqualTo(1);
        assertThat(onlyError()).contains("longer than 1 MiB");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(execute("config", "check", file.toString())).isEqualTo(1);
        assertThat(onlyError()).contains("not text in UTF-8");
        StringBuilder bomb = new StringBuilder("allowed-hosts: &a0 [x, x]\n");
        for (int i = 1; i < 60; i++) {
            bomb.append("lsm.x")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" [*a")
                    .append(i - 1)
                    .append(", *a")
                    .append(i - 1)
                    .append("]\n");
        }
        Files.writeString(file, bomb);
        assertThat(execute("config", "check", file.toString())).isEqualTo(1);
        assertThat(onlyError()).startsWith("kvant: " + file);
        Files.writeString(file, "{".repeat(100_000));
        assertThat(execute("config", "check", file.toString())).isEqualTo(1);
        assertThat(onlyError()).startsWith("kvant: " + file);
        Files.writeString(file, "# nothing is set\n");
        assertThat(execute("config", "check", file.toString())).isZero();
        assertThat(execute("config", "check")).isEqualTo(2);
        assertThat(onlyError()).contains("name a file");
    }

    @Test
    void theDefaultsThatOptionsNameAreTheirs() {
        for (OptionSpec option : options()) {
            Object initial = option.initialValue();
            String description = String.join(" ", option.description());
            if (initial != null && option.arity().max() > 0 && !"[]".equals(initial.toString())) {
                String said = option.longestName().equals("--data") ? "./" + initial : initial.toString();
                assertThat(description).as(option.longestName()).containsIgnoringCase("(default: " + said);
            }
            assertThat(description)
                    .as(option.longestName())
                    .doesNotContain("the default")
                    .doesNotContain("%");
        }
    }

    @Test
    void secretsAreFilesAndNeverValues() {
        for (OptionSpec option : options()) {
            if (option.longestName().matches(".*(password|secret|token|key-).*")) {
                assertThat(option.type()).as(option.longestName()).isEqualTo(Path.class);
            }
        }
    }

    private static List<OptionSpec> options() {
        return Main.commandLine().getSubcommands().get("serve").getCommandSpec().options();
    }

    @Test
    void thePageOfAllSettingsIsUpToDate() throws IOException {
        assertThat(execute("config", "reference")).isZero();
        Path page = Path.of("..", "docs", "configuration.md");

        assertThat(Files.exists(page) ? Files.readString(page) : "")
                .as("./kvant config reference >docs/configuration.md brings it up to date")
                .isEqualTo(out.toString());
        assertThat(out.toString()).contains("| `--lsm.memtable SIZE` | `KVANT_LSM_MEMTABLE` |");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Node:", "Threads:", "Admission:", "LSM engine:", "Exposure:"})
    void theHelpHasGroups(String heading) {
        assertThat(execute("help", "serve")).isZero();
        assertThat(out.toString().lines()).contains(heading);
        assertThat(out.toString().lines().filter(line -> line.startsWith("      --port")))
                .hasSize(1);
    }
}
