package kvant.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.text.JsonFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The log of a real node as JSON and as text.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LogStyleTest {

    @TempDir
    Path folder;

    @Test
    void theLogOfANodeIsJsonWhenAskedFor() throws Exception {
        List<String> lines = linesOfARefusal("--log-format", "json");
        assertThat(lines).isNotEmpty();
        for (String line : lines) {
            assertThat(JsonFile.object(line, "a line", "a log"))
                    .as(line)
                    .containsKeys("timestamp", "level", "loggerName");
        }
        Map<String, ?> refusal = JsonFile.object(
                lines.stream()
                        .filter(line -> line.contains("refused GET"))
                        .findFirst()
                        .orElseThrow(),
                "the line",
                "a log");
        assertThat(refusal)
                .containsOnlyKeys("timestamp", "level", "threadName", "loggerName", "formattedMessage", "throwable");
        assertThat(refusal.get("level")).isEqualTo("WARN");
        assertThat(refusal.get("loggerName")).isEqualTo("kvant.audit");
        assertThat(refusal.get("formattedMessage")).asString().startsWith("refused GET /v0/entity token=- ");
    }

    @Test
    void withoutAWordItIsText() throws Exception {
        assertThat(linesOfARefusal())
                .anyMatch(line -> line.matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\S+ WARN +audit \\[\\S+] refused GET /v0/entity token=- .*"));
    }

    /// A container that forbids io_uring, and epoll too.
    @Test
    void aNodeWithoutIoUringReportsIt() throws Exception {
        List<String> jvm = List.of("-Xmx256m", "-Dio.netty.transport.noNative=true");
        try (ChildNode node = ChildNode.run(jvm, ChildNode.serveArguments(folder.resolve("data")))) {
            node.awaitReady();
            assertThat(node.stop()).isZero();
            assertThat(node.stderr())
                    .filteredOn(line -> line.contains(" INFO  Node [main] io_uring is not available ("))
                    .singleElement()
                    .asString()
                    .endsWith("): sockets by nio");
        }
    }

    private List<String> linesOfARefusal(String... options) throws Exception {
        Path tokens = Files.createFile(
                folder.resolve("tokens"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        List<String> all = new ArrayList<>(List.of("--tokens", tokens.toString()));
        all.addAll(List.of(options));
        try (ChildNode node = ChildNode.serve(folder.resolve("data"), all.toArray(String[]::new))) {
            HttpRequest get = HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=k"))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                assertThat(client.send(get, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(401);
            }
            assertThat(node.stop()).isZero();
            return node.stderr();
        }
    }
}
