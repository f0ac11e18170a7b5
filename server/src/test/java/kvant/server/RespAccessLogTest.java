package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import kvant.server.MemoryEngine.Gate;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.accesslog.AccessLog.AccessLogOptions.AccessLogStyle;
import kvant.server.accesslog.AccessLog.LogRotation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands of RESP in the access log: each of them once, with the key that HTTP would show, and nothing else of what
/// the client sent.
@Timeout(180)
class RespAccessLogTest {

    private static final String HIDDEN = "secret-value";

    @TempDir
    private Path folder;

    private NodeHarness node(AccessLogStyle style, Consumer<NodeOptions.Draft> more) {
        AccessLogOptions log = new AccessLogOptions(file(), style, AccessLogOptions.DEFAULT_QUEUE, LogRotation.DEFAULT);
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> {
                    o.eventLoops = 1;
                    o.respPort = 0;
                    o.accessLog = log;
                })
                .with(more));
    }

    private Path file() {
        return folder.resolve("access.log");
    }

    private List<Matcher> lines(int atLeast) {
        return AccessLogTest.lines(file(), atLeast).stream()
                .map(AccessLogTest::parsed)
                .toList();
    }

    private static String told(Matcher line) {
        return line.group("request") + " " + line.group("status");
    }

    @Test
    void eachCommandHasALineInTheOrderOfTheReplies() throws Exception {
        List<String> commands = List.of(
                "SET user:7 " + HIDDEN,
                "get user:7",
                "GET none",
                "MSET one " + HIDDEN,
                "MSET a " + HIDDEN + " b c",
                "MGET a b",
                "INCR n",
                "INCR a",
                "DEL a",
                "SCAN 0 MATCH " + HIDDEN + "*",
                "ECHO " + HIDDEN,
                "NOSUCH " + HIDDEN,
                HIDDEN,
                "GET " + HIDDEN + " extra",
                "HELLO 3",
                "GET none");
        try (NodeHarness harness = node(AccessLogStyle.TEXT, _ -> {});
                RespClient client = new RespClient(harness.node.respPort())) {
            for (String command : commands) {
                client.send(command);
            }
            for (int i = 0; i < commands.size(); i++) {
                client.read();
            }
            List<Matcher> lines = lines(commands.size());

            assertThat(lines.stream().map(RespAccessLogTest::told))
                    .containsExactly(
                            "SET /resp?id=user%3A7 RESP2 200",
                            "GET /resp?id=user%3A7 RESP2 200",
                            "GET /resp?id=none RESP2 404",
                            "MSET /resp?id=one RESP2 200",
                            "MSET /resp RESP2 200",
                            "MGET /resp RESP2 200",
                            "INCR /resp?id=n RESP2 200",
                            "INCR /resp?id=a RESP2 400",
                            "DEL /resp?id=a RESP2 200",
                            "SCAN /resp RESP2 200",
                            "ECHO /resp RESP2 200",
                            "OTHER - RESP2 400",
                            "OTHER - RESP2 400",
                            "GET /resp RESP2 400",
                            "HELLO /resp RESP3 200",
                            "GET /resp?id=none RESP3 404");
            assertThat(Files.readString(file())).doesNotContain(HIDDEN);
            assertThat(lines.stream().limit(2).map(line -> line.group("bytes")))
                    .containsExactly("5", Integer.toString("$12\r\n".length() + HIDDEN.length() + "\r\n".length()));
            assertThat(lines).allSatisfy(line -> {
                long stages = 0;
                for (String stage : List.of("read", "queue", "engine", "deliver", "write")) {
                    stages += Long.parseLong(line.group(stage));
                }
                assertThat(Long.parseLong(line.group("total")))
                        .isGreaterThanOrEqualTo(stages - 5)
                        .isLessThan(60_000_000);
                assertThat(line.group("id")).matches("[0-9a-f]{16}");
            });
        }
    }

    @Test
    void secretsAreNotToldAndNamesOfTokensAre() throws Exception {
        String reader = TokenSecret.generate(new SecureRandom());
        Files.writeString(folder.resolve("tokens"), TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0) + "\n");
        try (NodeHarness harness = node(
                        AccessLogStyle.TEXT, o -> o.access = o.access.with(a -> a.tokens = folder.resolve("tokens")));
                RespClient client = new RespClient(harness.node.respPort())) {
            for (String command :
                    List.of("GET k", "AUTH wrong" + HIDDEN, "AUTH " + reader, "SET k " + HIDDEN, "GET k")) {
                client.ask(command);
            }
            assertThat(lines(5).stream().map(line -> line.group("token") + " " + told(line)))
                    .containsExactly(
                            "- GET /resp?id=k RESP2 401",
                            "- AUTH /resp RESP2 401",
                            "reader AUTH /resp RESP2 200",
                            "reader SET /resp?id=k RESP2 403",
                            "reader GET /resp?id=k RESP2 404");
            assertThat(Files.readString(file())).doesNotContain(HIDDEN).doesNotContain(reader);
        }
    }

    @Test
    void whatTheNodeDoesNotDoHasTheStatusOfHttp() throws Exception {
        try (NodeHarness harness = node(AccessLogStyle.TEXT, o -> o.readOnly = true);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient wrong = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("SET k v")).startsWith("-READONLY");
            assertThat(client.ask("DEL k l")).startsWith("-READONLY");
            lines(2);
            assertThat(wrong.raw("*x\r\n").read()).startsWith("-ERR Protocol error");
            assertThat(lines(3).stream().map(RespAccessLogTest::told))
                    .containsExactly("SET /resp?id=k RESP2 403", "DEL /resp RESP2 403", "OTHER - RESP2 400");
        }
    }

    @Test
    void whoeverGoesBeforeItsReplyHasALineToo() throws Exception {
        try (NodeHarness harness = node(AccessLogStyle.JSON, _ -> {})) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            harness.engine.load(bytes("gone"), bytes(HIDDEN));
            RespClient client = new RespClient(harness.node.respPort());
            client.send("GET gone").send("PING");
            await().until(() -> gate.waiting() == 1);
            client.socket().setSoLinger(true, 0);
            client.close();
            List<String> lines = AccessLogTest.lines(file(), 2);
            gate.open();

            assertThat(lines.getFirst())
                    .contains("\"method\":\"GET\",\"target\":\"/resp?id=gone\",\"protocol\":\"RESP2\"")
                    .contains("\"status\":499,\"bytes\":0");
            assertThat(lines.getLast()).contains("\"method\":\"PING\",\"target\":\"/resp\"", "\"status\":499");
        }
    }
}
