package kvant.server;

import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.server.MemoryEngine.Gate;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.accesslog.AccessLog.AccessLogOptions.AccessLogStyle;
import kvant.server.accesslog.AccessLog.LogRotation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The access log of a node: one line per request, however it ends.
@SuppressWarnings("try") // closes nodes early: the file is complete then
class AccessLogTest {

    private static final Pattern LINE = Pattern.compile("127\\.0\\.0\\.1 - (?<token>\\S+) "
            + "\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000] "
            + "\"(?<request>[^\"]*)\" (?<status>\\d{3}) (?<bytes>\\d+) \"-\" \"-\" (?<total>\\d+)"
            + " read=(?<read>\\d+) queue=(?<queue>\\d+) engine=(?<engine>\\d+) deliver=(?<deliver>\\d+)"
            + " write=(?<write>\\d+) id=(?<id>\\S+) trace=(?<trace>\\S+)");
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("access.log");
    }

    private NodeHarness node(ExecutorKind executor, AccessLogStyle style) {
        return new NodeHarness(options -> options.withExecutor(executor).with(o -> {
            o.eventLoops = 1;
            o.accessLog = new AccessLogOptions(file(), style, AccessLogOptions.DEFAULT_QUEUE, LogRotation.DEFAULT);
        }));
    }

    private List<String> lines(int atLeast) {
        return lines(file(), atLeast);
    }

    static List<String> lines(Path file, int atLeast) {
        await().until(() -> Files.readAllLines(file).size() >= atLeast);
        try {
            return Files.readAllLines(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Matcher parsed(String line) {
        Matcher parts = LINE.matcher(line);
        assertThat(parts.matches()).as(line).isTrue();
        return parts;
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void eachRequestHasALineInTheOrderOfTheAnswers(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor, AccessLogStyle.TEXT)) {
            harness.engine.load(bytes("k"), bytes("value"));
            List<String> requests = List.of(
                    get("k"),
                    get("k").replace("GET", "HEAD"),
                    get("none"),
                    put("k", "v"),
                    delete("k"),
                    batch("put 1 5\nkvalue\n"),
                    "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /v0/entities?prefix=a%20b HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /v0/entity/k HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /v0/entity HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /nothing?x=y HTTP/1.1\r\nHost: h\r\n\r\n",
                    "BREW /livez HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /livez HTTP/1.0\r\n\r\n");
            RawClient client = harness.client();
            client.send(String.join("", requests));
            List<String> answers = new ArrayList<>();
            for (String request : requests) {
                RawClient.Answer answer = client.read(request.startsWith("HEAD"));
                answers.add(answer.status() + " " + answer.header("X-Request-Id"));
            }
            List<Matcher> lines =
                    lines(requests.size()).stream().map(AccessLogTest::parsed).toList();

            assertThat(lines.stream().map(line -> line.group("request")))
                    .containsExactly(
                            "GET /v0/entity?id=k HTTP/1.1",
                            "HEAD /v0/entity?id=k HTTP/1.1",
                            "GET /v0/entity?id=none HTTP/1.1",
                            "PUT /v0/entity?id=k HTTP/1.1",
                            "DELETE /v0/entity?id=k HTTP/1.1",
                            "POST /v0/batch HTTP/1.1",
                            "GET /v0/entities?start=a HTTP/1.1",
                            "GET /v0/entities?prefix=a%20b HTTP/1.1",
                            "GET /v0/entity?id=k HTTP/1.1",
                            "GET /livez HTTP/1.1",
                            "GET /v0/entity HTTP/1.1",
                            "GET - HTTP/1.1",
                            "OTHER /livez HTTP/1.1",
                            "GET /livez HTTP/1.0");
            assertThat(lines.stream().map(line -> line.group("status") + " " + line.group("id")))
                    .isEqualTo(answers);
            assertThat(lines).allSatisfy(line -> {
                assertThat(line.group("token")).isEqualTo("-");
                assertThat(line.group("trace")).isEqualTo("-");
                assertThat(Long.parseLong(line.group("total")))
                        .isGreaterThanOrEqualTo(sum(line) - 5)
                        .isLessThan(60_000_000);
            });
            harness.close();
            assertThat(Files.readAllLines(file())).hasSize(requests.size());
        }
    }

    private static long sum(Matcher line) {
        return List.of("read", "queue", "engine", "deliver", "write").stream()
                .mapToLong(stage -> Long.parseLong(line.group(stage)))
                .sum();
    }

    @Test
    void aLineSaysHowMuchWasSentAndWhereTheTimeWent() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ASYNC, AccessLogStyle.TEXT)) {
            harness.engine.load(bytes("large"), new byte[1 << 20]);
            RawClient client = harness.client();
            RawClient.Answer large = client.exchange(get("large"));
            RawClient.Answer small = client.exchange(get("none"));
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            client.send(get("late"));
            await().until(() -> gate.waiting() == 1);
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > 20_000_000);
            gate.open();
            client.read();
            List<Matcher> lines = lines(3).stream().map(AccessLogTest::parsed).toList();

            assertThat(Long.parseLong(lines.getFirst().group("bytes")))
                    .isEqualTo(large.head().length() + large.body().length);
            assertThat(Long.parseLong(lines.get(1).group("bytes")))
                    .isEqualTo(small.head().length() + small.body().length);
            assertThat(Long.parseLong(lines.getLast().group("engine"))).isGreaterThanOrEqualTo(20_000);
            assertThat(Long.parseLong(lines.getLast().group("total"))).isGreaterThanOrEqualTo(20_000);
        }
    }

    @Test
    void noKeyBreaksOutOfItsLine() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int b = 0; b < 256; b++) {
            all.append(String.format("%%%02x", b));
        }
        for (AccessLogStyle style : AccessLogStyle.values()) {
            try (NodeHarness harness = node(ExecutorKind.SYNC, style)) {
                RawClient client = harness.client();
                client.exchange(get("%22%0d%0a127.0.0.1%20-%20\"\\{}<>'"));
                client.exchange(get(all.toString()));
                client.exchange(get("%e2%80%ae").replace("Host: h", "Host: h\r\nX-Request-Id: \"\\\u0085"));
            }
            List<String> lines = lines(3);
            Files.delete(file());

            assertThat(lines).hasSize(3);
            String quote = style == AccessLogStyle.TEXT ? " HTTP/1.1\"" : "\",\"protocol\"";
            assertThat(lines.getFirst()).contains("id=%22%0D%0A127.0.0.1%20-%20%22%5C%7B%7D%3C%3E%27" + quote);
            assertThat(lines.get(1)).contains("id=%00%01%02", "%2C-.%2F", "%7F..." + quote);
            assertThat(lines.getLast()).contains("id=%E2%80%AE" + quote);
            assertThat(String.join("", lines)).matches("[ -~]*");
        }
    }

    @Test
    void anObjectALineHasTheSame() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ASYNC, AccessLogStyle.JSON)) {
            harness.client()
                    .exchange(get("k").replace(
                                    "Host: h",
                                    "Host: h\r\nX-Request-Id: mine\r\ntraceparent: 00-" + TRACE
                                            + "-b7ad6b7169203331-00"));
            assertThat(lines(1).getFirst())
                    .matches("\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z\","
                            + "\"client\":\"127.0.0.1\","
                            + "\"token\":\"-\",\"method\":\"GET\",\"target\":\"/v0/entity\\?id=k\","
                            + "\"protocol\":\"HTTP/1.1\","
                            + "\"status\":404,\"bytes\":[1-9]\\d*,\"micros\":\\{\"total\":\\d+,"
                            + "\"read\":\\d+,\"queue\":\\d+,"
                            + "\"engine\":\\d+,\"deliver\":\\d+,\"write\":\\d+},\"requestId\":\"mine\",\"traceId\":\""
                            + TRACE + "\"}");
        }
    }

    @Test
    void whoeverGoesBeforeHisAnswerHasALineToo() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ASYNC, AccessLogStyle.TEXT)) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client();
            client.send(get("gone"));
            await().until(() -> gate.waiting() == 1);
            client.socket().setSoLinger(true, 0);
            client.close();
            Matcher line = parsed(lines(1).getFirst());

            assertThat(line.group("status")).isEqualTo("499");
            assertThat(line.group("request")).isEqualTo("GET /v0/entity?id=gone HTTP/1.1");
        }
    }

    @Test
    void whoReadsNothingKeepsNoRequestWaiting() throws Exception {
        int requests = 5000;
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw");
                NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.SYNC)
                        .with(o -> {
                            o.eventLoops = 1;
                            o.accessLog = new AccessLogOptions(pipe, AccessLogStyle.TEXT, 16, LogRotation.DEFAULT);
                        }))) {
            RawClient client = harness.client();
            for (int i = 0; i < requests; i++) {
                assertThat(client.exchange(get("k")).status()).isEqualTo(404);
            }
            await().until(() -> harness.figure("kvant_access_log_lost_total{cause=\"queue\"}") > requests / 2);
            assertThat(reader.read()).isEqualTo('1');
        }
    }

    @Test
    void linesAreCounted() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.SYNC, AccessLogStyle.TEXT)) {
            harness.client().exchange(get("k"));
            await().until(() -> harness.figure("kvant_access_log_lines_total") >= 1);
            assertThat(harness.figure("kvant_access_log_lost_total{cause=\"queue\"}"))
                    .isZero();
            assertThat(harness.figure("kvant_access_log_lost_total{cause=\"file\"}"))
                    .isZero();
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsToldAtTheStart() {
        Path nowhere = folder.resolve("nowhere").resolve("access.log");
        assertThatThrownBy(() -> Node.start(
                        NodeOptions.defaults().with(o -> {
                            o.port = 0;
                            o.accessLog = new AccessLogOptions(nowhere, AccessLogStyle.TEXT, 16, LogRotation.DEFAULT);
                        }),
                        new MemoryEngine()))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("cannot write the access log " + nowhere + ": its directory does not exist");
    }
}
