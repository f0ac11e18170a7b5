package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.engine.EngineException;
import kvant.server.request.Failures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Request ids: the client's, else one made by the node where that is needed.
class RequestIdTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String SLOW = "GET /debug/slow HTTP/1.1\r\nHost: h\r\nAccept: %s\r\n\r\n";

    @TempDir
    private Path folder;

    private static String with(String request, String header) {
        return request.replaceFirst("Host: h\r\n", "Host: h\r\n" + header + "\r\n");
    }

    private static List<String> idsOf(RawClient.Answer answer) {
        return answer.headers("X-Request-Id");
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void anAnswerHasTheIdOfItsRequestAndOfNoOther(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            RawClient client = harness.client();
            client.send(with(put("k", "v"), "X-Request-Id: first")
                    + get("k")
                    + with(get("k"), "x-request-id: third")
                    + with(get("none"), "X-REQUEST-ID: fourth")
                    + "GET /v0/entity HTTP/1.1\r\nHost: h\r\nX-Request-Id: fifth\r\n\r\n"
                    + "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\nX-Request-Id: sixth\r\n\r\n"
                    + "GET /livez HTTP/1.1\r\nHost: h\r\nX-Request-Id: seventh\r\n\r\n");
            for (List<String> ids : List.of(
                    List.of("first"),
                    List.<String>of(),
                    List.of("third"),
                    List.of("fourth"),
                    List.of("fifth"),
                    List.of("sixth"),
                    List.of("seventh"))) {
                assertThat(idsOf(client.read())).isEqualTo(ids);
            }
            assertThat(idsOf(client.exchange(with(get("k"), "X-Request-Id: part\r\nRange: bytes=0-0"))))
                    .containsExactly("part");
            RawClient.Answer head = client.exchange(with(get("k").replace("GET", "HEAD"), "X-Request-Id: head"));
            assertThat(idsOf(head)).containsExactly("head");
            RawClient.Answer malformed = client.exchange(with(get("k"), "X-Request-Id: bad\r\nno header"));
            assertThat(malformed.status()).isEqualTo(400);
            assertThat(idsOf(malformed)).containsExactly("bad");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Request-Id: a b",
                "X-Request-Id: \"a\"",
                "X-Request-Id:",
                "X-Request-Id: a\r\nX-Request-Id: a",
                "X-Request-Ids: a",
                "X-Requesx-Id: a",
                "traceparent: " + PARENT
            })
    void whatIsNoIdIsNotSentBackAndFailsNoRequest(String header) throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            harness.engine.load(bytes("k"), bytes("v"));
            RawClient.Answer answer = harness.client().exchange(with(get("k"), header));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(idsOf(answer)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aFailureHasAnIdInItsHeadAndItsDocument(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            RawClient client = harness.client();
            harness.engine.failReads(new EngineException.Corruption("1.sst", 42, "checksum"));
            harness.engine.failWrites(new EngineException.StorageFull("full"));
            RawClient.Answer named = client.exchange(with(get("k"), "X-Request-Id: mine"));
            assertThat(named.status()).isEqualTo(500);
            assertThat(idsOf(named)).containsExactly("mine");
            assertThat(named.text()).contains("\"requestId\":\"mine\"");
            RawClient.Answer made = client.exchange(put("k", "v"));
            assertThat(made.status()).isEqualTo(507);
            assertThat(made.header("X-Request-Id")).matches("[0-9a-f]{16}");
            assertThat(made.text()).contains("\"requestId\":\"" + made.header("X-Request-Id") + "\"");
        }
    }

    @Test
    void whatIsToBeTriedAgainOrIsTheClientsFaultHasNone() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient client = harness.client();
            harness.engine.failWrites(new EngineException.Busy("too much"));
            for (String request : List.of(put("k", "v"), get("none"), get(""))) {
                RawClient.Answer answer = client.exchange(request);
                assertThat(answer.status()).isGreaterThanOrEqualTo(400);
                assertThat(idsOf(answer)).isEmpty();
                assertThat(answer.text()).doesNotContain("requestId");
            }
        }
    }

    @Test
    void theLogSaysWhichRequestFailedUnexpectedly() throws Exception {
        try (LoggedLines logged = new LoggedLines(Failures.class.getName());
                NodeHarness harness = NodeHarness.async()) {
            harness.engine.failReads(new IllegalStateException("a flaw"));
            RawClient.Answer answer = harness.client().exchange(get("k"));
            assertThat(logged.lines())
                    .containsExactly("the request " + answer.header("X-Request-Id") + " failed unexpectedly");
        }
    }

    @Test
    void aSlowRequestIsKnownByItsIdAndItsTrace() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            RawClient client = harness.client();
            client.exchange(with(get("named"), "X-Request-Id: mine\r\ntraceparent: " + PARENT));
            client.exchange(get("made"));
            String json = client.exchange(SLOW.formatted("application/json")).text();
            assertThat(json).contains("\"requestId\": \"mine\"", "\"traceId\": \"" + TRACE + "\"", "\"traceId\": \"\"");
            assertThat(json).containsPattern("\"requestId\": \"[0-9a-f]{16}\"");
            String table = client.exchange(SLOW.formatted("text/plain")).text();
            assertThat(table).contains("; mine, " + TRACE + "; named");
            assertThat(table).containsPattern("; [0-9a-f]{16}; made");
        }
    }

    @Test
    void aRecordingHasThemToo() throws Exception {
        Path file = folder.resolve("requests.jfr");
        try (NodeHarness harness = NodeHarness.sync();
                Recording recording = new Recording()) {
            recording.enable("kvant.Request").withoutThreshold();
            recording.start();
            RawClient client = harness.client();
            client.exchange(with(get("k"), "X-Request-Id: mine\r\ntraceparent: " + PARENT));
            client.exchange(get("k"));
            await().until(() -> harness.figure("kvant_requests_total{operation=\"get\",result=\"miss\"}") == 2);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> "get".equals(event.getString("operation")))
                .toList();

        assertThat(events.stream().map(event -> event.getString("traceId"))).contains(TRACE, "");
        assertThat(events.stream().map(event -> event.getString("requestId"))).contains("mine");
    }
}
