package kvant.cli.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import kvant.cli.control.NodeLogin;
import kvant.client.KvantException;
import kvant.text.command.CommandRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// The commands of a client, against a node that is a process.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KeyCommandsTest {

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter text = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private InputStream input = InputStream.nullInputStream();

    @TempDir
    Path folder;

    @Test
    void eachCommandIsKnownByItsName() {
        assertThat(KeyCommands.all(input, bytes).stream()
                        .map(one -> new CommandLine(one, NodeLogin.factory(environment)).getCommandName()))
                .containsExactlyInAnyOrderElementsOf(KeyCommands.NAMES);
    }

    private int kvant(String... words) {
        text.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        bytes.reset();
        CommandLine root = new CommandLine(CommandSpec.create().name("kvant"), NodeLogin.factory(environment));
        KeyCommands.all(input, bytes).forEach(root::addSubcommand);
        return new CommandRunner(root, List.of(KvantException.class))
                .run(new PrintWriter(text, true), new PrintWriter(err, true), words);
    }

    private List<String> lines() {
        return text.toString().lines().toList();
    }

    private void refused(int code, String message, String... words) {
        assertThat(kvant(words)).as(String.join(" ", words)).isEqualTo(code);
        assertThat(err.toString().lines()).singleElement().asString().contains(message);
    }

    @Test
    void valuesOfAnyBytesGoInAndOut() throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        try (ChildNode node = ChildNode.serve(folder.resolve("data"))) {
            environment.put("KVANT_URL", node.url());
            input = new ByteArrayInputStream(all);
            assertThat(kvant("put", "binary")).as(err.toString()).isZero();
            assertThat(lines()).singleElement().asString().matches("version [1-9]\\d*");
            String version = lines().getFirst().replaceFirst("version ", "");
            assertThat(kvant("get", "binary")).isZero();
            assertThat(bytes.toByteArray()).isEqualTo(all);

            refused(1, "no value for key 'none'", "get", "none");
            refused(1, "412", "put", "--if-absent", "binary", "x");
            assertThat(kvant("put", "--if-version", version, "--ttl", "1000", "binary", "text"))
                    .isZero();
            assertThat(kvant("get", "binary")).isZero();
            assertThat(bytes.toString(UTF_8)).isEqualTo("text");
            assertThat(kvant("delete", "binary")).isZero();
            refused(1, "no value", "get", "binary");
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void rangesAndChangesArePrintedInOneLineEach() throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"))) {
            environment.put("KVANT_URL", "http://127.0.0.1:1"); // --url comes first
            for (String key : List.of("a%09b", "user:1", "user:2", "%FF")) {
                assertThat(kvant("put", "--url", node.url(), "--escaped", key, "v\t\u00e4%"))
                        .as(err.toString())
                        .isZero();
            }
            environment.put("KVANT_URL", node.url());
            assertThat(kvant("scan")).isZero();
            assertThat(lines())
                    .containsExactly(
                            "a%09b\tv%09\u00e4%25",
                            "user:1\tv%09\u00e4%25", "user:2\tv%09\u00e4%25", "%FF\tv%09\u00e4%25");
            assertThat(kvant("scan", "--keys", "user:")).isZero();
            assertThat(lines()).containsExactly("user:1", "user:2");
            assertThat(kvant("scan", "--keys", "--start", "b", "--end", "user:2"))
                    .isZero();
            assertThat(lines()).containsExactly("user:1");
            assertThat(kvant("scan", "--keys", "--limit", "1", "--format", "json"))
                    .isZero();
            assertThat(lines()).containsExactly("{\"key\":\"YQli\"}");

            assertThat(kvant("delete", "user:1")).isZero();
            assertThat(kvant("watch", "--from", "0", "--wait", "1"))
                    .as(err.toString())
                    .isZero();
            assertThat(lines()).hasSize(5).contains("1\tput\ta%09b\tv%09\u00e4%25", "5\tdelete\tuser:1");
            assertThat(kvant("watch", "--from", "4", "--wait", "1", "--format", "json"))
                    .isZero();
            assertThat(lines()).containsExactly("{\"version\":5,\"key\":\"dXNlcjox\",\"deleted\":true}");
            refused(1, "answered 410", "watch", "--from", "999", "--wait", "1");
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void theStateOfANodeIsOnOneScreen() throws Exception {
        try (ChildNode node = ChildNode.serve(folder.resolve("data"), "--durability", "interval=50")) {
            environment.put("KVANT_URL", node.url());
            assertThat(kvant("status")).as(err.toString()).isZero();
            assertThat(text.toString())
                    .contains(
                            "engine       lsm",
                            "durability   interval=50",
                            "transport    ",
                            " free",
                            "writes       ok: ")
                    .contains(", ready, up for ");
            assertThat(Main.execute(
                            new PrintWriter(text, true), new PrintWriter(err, true), "health", "--url", node.url()))
                    .isZero();
            assertThat(node.stop()).isZero();
        }
        assertThat(Main.execute(
                        new PrintWriter(text, true),
                        new PrintWriter(err, true),
                        "health",
                        "--url",
                        environment.get("KVANT_URL")))
                .isEqualTo(1);
        refused(1, "cannot reach", "status");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            2 | is not a URL such as http://127.0.0.1:8080      | get --url nowhere k
            2 | 'KEY' is needed                                | get
            2 | exclude each other                             | put --if-absent --if-version 1 k v
            2 | a version is 1 to 40 decimal digits            | put --if-version x k v
            2 | a time to live is whole seconds                | put --ttl 0 k v
            2 | a % has two hex digits behind it               | get --escaped a%4
            2 | a key has 1 to 65536 bytes                     | get --escaped --
            2 | PREFIX excludes                                | scan --start a b
            2 | a limit is 1 or more                           | scan --limit 0
            2 | '--from' is a version or now                   | watch --from then
            2 | '--wait' is 1 to 3600 s                        | watch --wait 0
            1 | http://127.0.0.1:1/v0/entity                   | get --url http://127.0.0.1:1 --timeout 1 k
            1 | cannot reach http://127.0.0.1:1                | watch --url http://127.0.0.1:1
            """)
    void whatIsWrongIsOneLine(int code, String message, String line) {
        refused(code, message, line.replaceFirst("--$", "-- ").split(" ", -1));
    }

    @Test
    void aTokenComesFromTheEnvironmentAndIsNotPrinted() {
        environment.put("KVANT_TOKEN", "two words");
        refused(2, "KVANT_TOKEN holds no token", "get", "k");
        assertThat(err.toString()).doesNotContain("two words");
    }

    @Test
    void bytesAndTheirTextAreOneToOne() {
        for (String escaped : List.of("user:1", "a%09b", "%25", "\u00fc", "%FF%00", "a b")) {
            assertThat(KeyText.escape(KeyText.unescape(escaped))).isEqualTo(escaped);
        }
    }
}
