package kvant.move.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvant.engine.CompletionSink;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Mutations as requests, the lines of a range as records, and refusals as what they are to the port.
class NodeEndpointTest {

    private static final long NOW = 1_000_000_500;

    private record Request(
            String method, String path, @Nullable String type, byte[] body) {}

    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private volatile int status = 201;
    private volatile String answer = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void serve(HttpExchange exchange) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        byte[] body = exchange.getRequestBody().readAllBytes();
        requests.add(new Request(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), type, body));
        exchange.getResponseHeaders().add("ETag", "\"1\"");
        byte[] bytes = answer.getBytes(UTF_8);
        boolean isDelete = exchange.getRequestMethod().equals("DELETE");
        exchange.sendResponseHeaders(isDelete && status == 201 ? 202 : status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private NodeEndpoint node() {
        return new NodeEndpoint(url(), _ -> {}, InstantSource.fixed(Instant.ofEpochMilli(NOW)));
    }

    @Test
    void oneRecordIsAnEntity() throws Exception {
        assertThat(write(new Mutation.Put(new byte[] {0, 'a', '+', ' ', (byte) 0xFF}, bytes("v"))))
                .isNull();
        assertThat(write(new Mutation.Delete(bytes("k")))).isNull();
        Request put = requests.getFirst();
        assertThat(put.method()).isEqualTo("PUT");
        assertThat(put.type()).isNull();
        assertThat(put.path()).isEqualTo("/v0/entity?id=%00a%2B%20%FF");
        assertThat(put.body()).isEqualTo(bytes("v"));
        assertThat(requests.getLast().method()).isEqualTo("DELETE");
    }

    @Test
    void severalAreABatch() throws Exception {
        assertThat(write(
                        new Mutation.Put(bytes("k1"), bytes("hello")),
                        new Mutation.Put(bytes("k2"), bytes("world"), NOW + 59_001),
                        new Mutation.Put(bytes("gone"), bytes("x"), NOW),
                        new Mutation.Delete(bytes("k3"))))
                .isNull();
        Request batch = requests.getFirst();
        assertThat(batch.method()).isEqualTo("POST");
        assertThat(batch.path()).isEqualTo("/v0/batch");
        assertThat(batch.type()).isEqualTo("application/vnd.kvant.batch");
        assertThat(new String(batch.body(), UTF_8)).isEqualTo("put 2 5\nk1hello\nput 2 5 60\nk2world\ndelete 2\nk3\n");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1", "1001, 2"})
    void aLifeTimeIsRoundedUp(long millis, long seconds) throws Exception {
        assertThat(write(expiring(NOW + millis))).isNull();
        assertThat(requests.getFirst().path()).endsWith("&ttl=" + seconds);
    }

    @Test
    void noLifeIsLongerThanANodeTakes() throws Exception {
        Mutation endless = expiring(Long.MAX_VALUE);
        assertThat(write(endless)).isNull();
        assertThat(write(endless, endless)).isNull();
        assertThat(requests.getFirst().path()).endsWith("&ttl=" + Mutation.Put.MAX_LIFE_SECONDS);
        assertThat(new String(requests.getLast().body(), UTF_8)).contains(" " + Mutation.Put.MAX_LIFE_SECONDS + "\n");
    }

    @Test
    void whatHasExpiredIsNotSent() throws Exception {
        assertThat(write(expiring(NOW))).isNull();
        assertThat(write(expiring(NOW), expiring(1))).isNull();
        assertThat(requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "503, overloaded, Busy",
        "503, closing, Busy",
        "503, writes-stopped, LogFailed",
        "504, replicas-unavailable, Unavailable",
        "504, outcome-unknown, OutcomeUnknown",
        "507, storage-full, StorageFull",
        "501, unsupported, Unsupported",
        "413, body-too-large, Unsupported",
        "500, io, Io",
        "400, malformed-batch, Io"
    })
    void refusalsAreToldApart(int refusal, String type, String kind) throws Exception {
        status = refusal;
        answer = "{\"type\":\"urn:kvant:problem:" + type + "\",\"status\":" + refusal
                + ",\"detail\":\"it \\\"is\\\" so\"}";
        EngineException failure = write(new Mutation.Put(bytes("k"), bytes("v")));
        assertThat(Objects.requireNonNull(failure).getClass().getSimpleName()).isEqualTo(kind);
        assertThat(failure).hasMessage("the node answered " + refusal + ": it \"is\" so");
        assertThat(requests).hasSize(1); // tried once: the copier waits and tries again
    }

    @Test
    void anAnswerOfAnotherServerIsToldByItsStatus() throws Exception {
        status = 502;
        answer = "<html>";
        assertThat(write(new Mutation.Put(bytes("k"), bytes("v")))).hasMessage("the node answered 502");
    }

    @Test
    void recordsAreReadWithTheirEnds() {
        status = 200;
        answer = """
                {"key":"awA=","value":"djE="}
                {"key":"bA==","expires":1795276800000,"value":""}
                {"complete":true,"records":2}
                """;
        try (Cursor cursor = node().scan(bytes("k"))) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).containsExactly('k', 0);
            assertThat(cursor.value()).containsExactly('v', '1');
            assertThat(cursor.expiresAtMillis()).isEqualTo(Mutation.Put.NEVER);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.value()).isEmpty();
            assertThat(cursor.expiresAtMillis()).isEqualTo(1795276800000L);
            assertThat(cursor.next()).isFalse();
        }
        assertThat(requests.getFirst().path()).isEqualTo("/v0/entities?start=k&limit=10000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"complete\":false,\"reason\":\"it is late\"}\n",
                "{\"key\":\"aw==\",\"value\":\"djE=\"",
                "{\"key\":\"aw==\"}",
                "<html>",
                "{"
            })
    void aRangeThatIsBrokenOffMayBeReadAgain(String lines) {
        status = 200;
        answer = lines;
        try (Cursor cursor = node().scan(new byte[0])) {
            assertThatThrownBy(cursor::next).isInstanceOf(EngineException.Unavailable.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, <html>, cannot reach",
        "404, <html>, answered 404 to /v0/entities: is it the URL of a node",
        "421, <html>, does not serve that name"
    })
    void anotherServerIsNoEnd(int other, String page, String expected) {
        status = other;
        answer = page;
        assertThatThrownBy(() -> NodeEndpoint.open(url(), _ -> {}))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining(expected);
    }

    @Test
    void aBusyNodeIsAnEnd() {
        status = 503;
        answer = "{\"type\":\"urn:kvant:problem:overloaded\",\"status\":503}";
        assertThat(NodeEndpoint.open(url() + "/", _ -> {}).name()).isEqualTo("node " + url());
    }

    private @Nullable EngineException write(Mutation... mutations) throws Exception {
        CompletableFuture<Write> done = new CompletableFuture<>();
        node().submit(new Write(WriteBatch.of(List.of(mutations)), new CompletionSink() {
            @Override
            public void completed(Write write) {
                done.complete(write);
            }

            @Override
            public void wake() {
                // The future has woken its waiter.
            }
        }));
        return done.get(20, TimeUnit.SECONDS).failure();
    }

    private static Mutation expiring(long end) {
        return new Mutation.Put(bytes("k"), bytes("v"), end);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
