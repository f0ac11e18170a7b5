package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real node with tokens: its audit lines have names, and no output has a secret.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class SecuredNodeTest {

    @TempDir
    Path folder;

    private String token(String name, String scopes) {
        StringWriter out = new StringWriter();
        assertThat(Main.execute(
                        new PrintWriter(out, true),
                        new PrintWriter(new StringWriter()),
                        "token",
                        "new",
                        name,
                        "--scope",
                        scopes,
                        "--tokens",
                        folder.resolve("tokens").toString()))
                .isZero();
        return out.toString().strip();
    }

    private static String exchange(ChildNode node, String method, String path, String token) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", node.port())) {
            socket.setSoTimeout(20_000);
            String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n") + "Content-Length: 0\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// On an address that others reach: with tokens that needs no further word.
    @Test
    void secretsAreNeitherLoggedNorShownAndNamesAre() throws Exception {
        String app = token("app", "read,write");
        String boss = token("boss", "admin");
        String wrong = "kvant_" + "w".repeat(43);
        List<String> shown;
        try (ChildNode node = ChildNode.serve(
                folder.resolve("data"),
                "--host",
                "0.0.0.0",
                "--debug-page",
                "--tokens",
                folder.resolve("tokens").toString())) {
            assertThat(exchange(node, "PUT", "/v0/entity/k", app)).startsWith("HTTP/1.1 201");
            assertThat(exchange(node, "GET", "/v0/entity/k", "")).startsWith("HTTP/1.1 401");
            assertThat(exchange(node, "GET", "/v0/entity/k", wrong)).startsWith("HTTP/1.1 401");
            assertThat(exchange(node, "GET", "/metrics", app)).startsWith("HTTP/1.1 403");
            assertThat(exchange(node, "GET", "/livez", "")).startsWith("HTTP/1.1 200");
            String metrics = exchange(node, "GET", "/metrics", boss);
            String slow = exchange(node, "GET", "/debug/slow", boss);
            assertThat(metrics).startsWith("HTTP/1.1 200");
            assertThat(slow).startsWith("HTTP/1.1 200").contains("\"k\"");
            String commandLine = Files.readString(Path.of("/proc/" + node.pid() + "/cmdline"));
            assertThat(node.stop()).isZero();
            String log = String.join("\n", node.stderr());
            assertThat(log)
                    .contains("refused GET /metrics token=app")
                    .contains("refused GET /v0/entity token=- ")
                    .contains("reason=wrong-token")
                    .contains("administrative GET /metrics token=boss")
                    .contains("administrative GET /debug/slow token=boss");
            shown = List.of(log, metrics, slow, commandLine);
        }
        for (String text : shown) {
            assertThat(text).doesNotContain(app).doesNotContain(boss).doesNotContain(wrong);
            assertThat(text).doesNotContain("sha256:");
        }
    }

    @Test
    void eachSwitchToReadOnlyAndBackIsAudited() throws Exception {
        String boss = token("boss", "admin");
        try (ChildNode node = ChildNode.serve(
                folder.resolve("data"), "--tokens", folder.resolve("tokens").toString())) {
            for (String method : List.of("PUT", "DELETE", "PUT", "DELETE")) {
                assertThat(exchange(node, method, "/v0/read-only", boss)).startsWith("HTTP/1.1 200");
            }
            operate("read-only", "on");
            assertThat(node.stop()).isZero();
            String log = String.join("\n", node.stderr());
            assertThat(log.split("administrative PUT /v0/read-only token=boss from=", -1))
                    .hasSize(3);
            assertThat(log.split("administrative DELETE /v0/read-only token=boss from=", -1))
                    .hasSize(3);
            assertThat(log).contains("administrative read-only on token=- from=control");
        }
    }

    /// Also on a node without tokens, where the commands count as the node's user's.
    @Test
    void commandsByTheControlSocketAreAudited() throws Exception {
        Path copy = folder.resolve("a copy");
        try (ChildNode node = ChildNode.serve(folder.resolve("data"))) {
            assertThat(exchange(node, "GET", "/metrics", "")).startsWith("HTTP/1.1 200");
            operate("health");
            operate("inspect");
            operate("inspect");
            operate("slow");
            operate("checkpoint", "--to", copy.toString());
            operate("compact");
            operate("compact");
            Files.createDirectory(folder.resolve("backups"));
            operate("backup", "create", "--target", folder.resolve("backups").toString());
            assertThat(node.stop()).isZero();
            List<String> told = node.stderr().stream()
                    .filter(line -> line.contains(" administrative "))
                    .map(line -> line.replaceFirst(".* administrative ", ""))
                    .toList();
            String backup =
                    folder.resolve("data").resolve("backup").toAbsolutePath().toString();
            assertThat(told).hasSize(6);
            assertThat(told.subList(0, 5))
                    .containsExactly(
                            "inspect token=- from=control",
                            "slow token=- from=control",
                            "checkpoint \"" + copy + "\" token=- from=control",
                            "compact token=- from=control",
                            "compact token=- from=control");
            assertThat(told.getLast()).startsWith("checkpoint \"" + backup).endsWith("\" token=- from=control");
        }
    }

    private void operate(String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--data", folder.resolve("data").toString()));
        StringWriter err = new StringWriter();
        assertThat(Main.execute(
                        new PrintWriter(new StringWriter()), new PrintWriter(err, true), words.toArray(String[]::new)))
                .as(words + ": " + err)
                .isZero();
    }
}
