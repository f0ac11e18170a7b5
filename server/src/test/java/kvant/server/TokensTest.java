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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A node with tokens: the rights of each scope, and that requests without them do not reach the engine.
class TokensTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RANGE = "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String SLOW = "GET /debug/slow HTTP/1.1\r\nHost: h\r\n\r\n";

    /// The scope that each request needs.
    private static final Map<String, Scope> NEEDED = Map.of(
            get("k"),
            Scope.READ,
            get("k").replace("GET", "HEAD"),
            Scope.READ,
            RANGE,
            Scope.READ,
            put("k", "value"),
            Scope.WRITE,
            delete("k"),
            Scope.WRITE,
            batch("put 1 5\nkvalue\n"),
            Scope.WRITE,
            METRICS,
            Scope.ADMIN,
            SLOW,
            Scope.ADMIN);

    @TempDir
    Path folder;

    private final String reader = TokenSecret.generate(new SecureRandom());
    private final String writer = TokenSecret.generate(new SecureRandom());
    private final String admin = TokenSecret.generate(new SecureRandom());
    private final String limited = TokenSecret.generate(new SecureRandom());

    private Path file() {
        return folder.resolve("tokens");
    }

    @BeforeEach
    void writeTokens() throws IOException {
        Files.write(
                file(),
                List.of(
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0),
                        TokenFile.line("writer", EnumSet.of(Scope.WRITE), writer, 0),
                        TokenFile.line("admin", EnumSet.of(Scope.ADMIN), admin, 0),
                        TokenFile.line("limited", EnumSet.of(Scope.READ), limited, 1)));
    }

    private NodeHarness node(ExecutorKind executor) {
        return new NodeHarness(options -> options.withExecutor(executor).with(o -> {
            o.access = o.access.with(a -> a.tokens = file());
            o.slowPage = true;
        }));
    }

    private static String with(String secret, String request) {
        return request.replace("Host: h\r\n", "Host: h\r\nAuthorization: Bearer " + secret + "\r\n");
    }

    /// The engine of this test cannot tell them, and is asked by who may read alone.
    @Test
    void changesNeedATokenThatMayRead() throws Exception {
        String changes = ChangesHarness.changes("from=0");
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            RawClient client = harness.client();
            assertThat(client.exchange(changes).status()).isEqualTo(401);
            assertThat(client.exchange(with(writer, changes)).status()).isEqualTo(403);
            assertThat(client.exchange(with(admin, changes)).status()).isEqualTo(403);
            assertThat(client.exchange(with(reader, changes)).status()).isEqualTo(501);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void eachScopeAllowsItsRequestsAndNoOthers(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor)) {
            Map<Scope, String> secrets = Map.of(Scope.READ, reader, Scope.WRITE, writer, Scope.ADMIN, admin);
            RawClient client = harness.client();
            for (Map.Entry<String, Scope> request : NEEDED.entrySet()) {
                for (Scope scope : Scope.values()) {
                    harness.engine.load(bytes("k"), bytes("value"));
                    int calls = harness.engine.calls().size();
                    RawClient.Answer answer = client.exchange(with(secrets.get(scope), request.getKey()));
                    if (scope == request.getValue()) {
                        assertThat(answer.status()).as(request.getKey()).isBetween(200, 202);
                    } else {
                        assertThat(answer.status()).as(scope + request.getKey()).isEqualTo(403);
                        assertThat(answer.header("WWW-Authenticate")).contains("insufficient_scope");
                        assertThat(harness.engine.calls()).hasSize(calls);
                    }
                }
            }
        }
    }

    @Test
    void whoHasNoTokenLearnsNothing() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            for (String request : NEEDED.keySet()) {
                RawClient.Answer none = client.exchange(request);
                assertThat(none.status()).as(request).isEqualTo(401);
                assertThat(none.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"kvant\"");
                for (String wrong : List.of("x", reader + "x", reader.substring(1))) {
                    RawClient.Answer answer = client.exchange(with(wrong, request));
                    assertThat(answer.status()).as(request).isEqualTo(401);
                    assertThat(answer.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
                    assertThat(answer.header("Content-Type")).isIn("application/problem+json", "[]");
                }
                RawClient.Answer twice = client.exchange(with(reader, with(admin, request)));
                assertThat(twice.status()).as("two tokens").isEqualTo(401);
            }
            for (String unknown : List.of(
                    get("k").replace("/v0/entity", "/v0/other"),
                    get("k").replace("GET", "PATCH"),
                    get("k").replace("id=k", "id=%zz"),
                    get("k").replace("id=k", "id=k&ack=9"))) {
                assertThat(client.exchange(unknown).status()).as(unknown).isEqualTo(401);
                assertThat(client.exchange(with(reader, unknown)).status())
                        .as(unknown)
                        .isIn(400, 403, 404, 405);
            }
            assertThat(harness.engine.calls()).isEmpty();
        }
    }

    @Test
    void anybodyMayAskWhetherTheNodeLives() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.SYNC)) {
            for (String path : List.of("/livez", "/readyz", "/v0/status")) {
                String request = "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
                assertThat(harness.client().exchange(request).status()).isEqualTo(200);
                assertThat(harness.client().exchange(with("wrong", request)).status())
                        .isEqualTo(200);
            }
        }
    }

    /// Its body is not kept, and what follows it is a request of its own.
    @Test
    void aBodyOfSomebodyWithoutATokenIsThrownAway() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            client.send(put("k", "x".repeat(100_000)) + with(reader, get("k")));
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.read().text()).isEqualTo("value");
            assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
        }
    }

    /// Each request is judged by its own header: what a connection was allowed before counts for nothing.
    @Test
    void aConnectionIsNoLongerTrustedThanItsHeader() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            client.send(with(reader, get("k")) + get("k") + with(reader, get("k")) + with(admin, get("k")));
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(403);
        }
    }

    @Test
    void whoExceedsHisRateIsToldWhenToComeAgain() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(bytes("k"), bytes("value"));
            String request = with(limited, get("k"));
            RawClient client = harness.client();
            client.send(request.repeat(60));
            int refused = 0;
            for (int i = 0; i < 60; i++) {
                RawClient.Answer answer = client.read();
                if (answer.status() == 429) {
                    assertThat(answer.header("Retry-After")).isEqualTo("1");
                    assertThat(answer.text()).contains("urn:kvant:problem:too-many-requests");
                    refused++;
                } else {
                    assertThat(answer.status()).isEqualTo(200);
                }
            }
            assertThat(refused).isBetween(1, 59); // one for each second that it took was admitted
            assertThat(client.exchange(with(reader, get("k"))).status()).isEqualTo(200);
        }
    }

    @Test
    void aTokenThatIsTakenOutIsRefusedOnOpenConnectionsToo() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            assertThat(client.exchange(with(reader, get("k"))).status()).isEqualTo(200);

            String fresh = TokenSecret.generate(new SecureRandom());
            Files.writeString(file(), TokenFile.line("fresh", EnumSet.of(Scope.READ), fresh, 0));
            await().atMost(PATIENCE)
                    .until(() -> client.exchange(with(reader, get("k"))).status() == 401);
            assertThat(client.exchange(with(fresh, get("k"))).status()).isEqualTo(200);
        }
    }

    @Test
    void aFileThatTurnsBadKeepsTheLastGoodTokensAndTheMetricsSaySo() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            RawClient client = harness.client();
            Files.writeString(file(), "what is this?");
            await().atMost(PATIENCE)
                    .until(() -> client.exchange(with(admin, METRICS))
                            .text()
                            .contains("kvant_files_stale{kind=\"tokens\"} 1.0"));
            assertThat(client.exchange(with(admin, METRICS)).text())
                    .contains("kvant_tokens 4.0")
                    .contains("kvant_files_read_again_total{kind=\"tokens\",result=\"failed\"} 1.0");
            assertThat(client.exchange(get("k")).status()).isEqualTo(401);
            assertThat(client.exchange(with(admin, METRICS)).text())
                    .contains("kvant_access_refused_total{reason=\"no-token\"} 1.0");
        }
    }

    @Test
    void aFileThatCannotBeUsedStartsNoNode() throws Exception {
        Files.writeString(file(), "app read nothing");
        NodeOptions options = NodeOptions.defaults().with(o -> o.access = o.access.with(a -> a.tokens = file()));
        assertThatThrownBy(() -> Node.tryFiles(options))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining(file() + ", line 1: ");
        try (MemoryEngine engine = new MemoryEngine()) {
            assertThatThrownBy(() -> Node.start(options, engine)).isInstanceOf(StartException.class);
        }
    }
}
