package kvant.server;

import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages of other origins: none may ask, until some are named, and then those alone.
class CorsTest {

    private static final String APP = "https://app.example";
    private static final String OTHER = "https://other.example";
    private static final List<String> WRITES = List.of(put("k", "new"), delete("k"), batch("put 1 3\nknew\n"));
    private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n";

    @TempDir
    Path folder;

    private static NodeHarness node() {
        return new NodeHarness(options -> options.with(o -> o.corsOrigins = List.of(APP, "http://localhost:3000")));
    }

    /// As a browser sends it for a page of another site.
    private static String from(String origin, String request) {
        return request.replace("Host: h\r\n", "Host: h\r\nOrigin: " + origin + "\r\nSec-Fetch-Site: cross-site\r\n");
    }

    private static String preflight(String origin, String path) {
        return from(
                origin,
                "OPTIONS " + path + " HTTP/1.1\r\nHost: h\r\nAccess-Control-Request-Method: PUT\r\n"
                        + "Access-Control-Request-Headers: authorization\r\n\r\n");
    }

    private static void saysNothing(RawClient.Answer answer) {
        assertThat(answer.head()).doesNotContain("Access-Control-");
    }

    @Test
    void withoutTheOptionNoAnswerSaysAnythingOfIt() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient client = harness.client();
            for (String request : List.of(from(APP, get("k")), from(APP, METRICS), preflight(APP, "/v0/entity?id=k"))) {
                RawClient.Answer answer = client.exchange(request);
                saysNothing(answer);
                assertThat(answer.head()).doesNotContain("Vary");
            }
            assertThat(client.exchange(preflight(APP, "/v0/entity?id=k")).status())
                    .isEqualTo(405);
            for (String write : WRITES) {
                assertThat(client.exchange(from(APP, write)).status()).isEqualTo(403);
            }
        }
    }

    @Test
    void aPageOfANamedOriginReadsAndWrites() throws Exception {
        try (NodeHarness harness = node()) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            RawClient.Answer answer = client.exchange(from(APP, get("k")));
            assertThat(answer.text()).isEqualTo("value");
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
            assertThat(answer.header("Access-Control-Expose-Headers")).contains("ETag", "Content-Range", "Retry-After");
            assertThat(answer.header("Vary")).isEqualTo("Origin");
            assertThat(answer.head()).doesNotContain("Credentials", ": *");
            assertThat(client.exchange(from("http://localhost:3000", get("none")))
                            .header("Access-Control-Allow-Origin"))
                    .isEqualTo("http://localhost:3000");
            for (String write : WRITES) {
                answer = client.exchange(from(APP, write));
                assertThat(answer.status()).as(write).isBetween(200, 202);
                assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
            }
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("new"));
        }
    }

    @Test
    void everybodyElseIsRefusedAsBefore() throws Exception {
        try (NodeHarness harness = node()) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            for (String origin : List.of(
                    OTHER, "null", APP + ":444", APP + ".evil.example", "http://app.example", "https://APP.example")) {
                for (String write : WRITES) {
                    RawClient.Answer answer = client.exchange(from(origin, write));
                    assertThat(answer.status()).as(origin).isEqualTo(403);
                    saysNothing(answer);
                }
                RawClient.Answer read = client.exchange(from(origin, get("k")));
                saysNothing(read);
                assertThat(read.header("Vary")).isEqualTo("Origin");
                RawClient.Answer asked = client.exchange(preflight(origin, "/v0/entity?id=k"));
                assertThat(asked.status()).isEqualTo(405);
                saysNothing(asked);
            }
            String twice =
                    put("k", "new").replace("Host: h\r\n", "Host: h\r\nOrigin: " + APP + "\r\nOrigin: " + APP + "\r\n");
            assertThat(client.exchange(twice).status()).isEqualTo(403);
            assertThat(harness.engine.calls()).doesNotContain("put k");
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("value"));
            assertThat(client.exchange(get("k")).header("Vary")).isEqualTo("Origin");
        }
    }

    @Test
    void aPreflightIsAnsweredForTheDataOfTheNodeAlone() throws Exception {
        try (NodeHarness harness = node()) {
            RawClient client = harness.client();
            for (String path : List.of("/v0/entity?id=k", "/v0/entity/k", "/v0/batch", "/v0/entities?start=a")) {
                RawClient.Answer answer = client.exchange(preflight(APP, path));
                assertThat(answer.status()).as(path).isEqualTo(204);
                assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
                assertThat(answer.header("Access-Control-Allow-Methods").split(", "))
                        .contains("PUT", "DELETE", "POST");
                assertThat(answer.header("Access-Control-Allow-Headers").split(", "))
                        .contains("Authorization", "Content-Type", "If-Match", "If-None-Match", "Range");
                assertThat(answer.header("Access-Control-Max-Age")).isEqualTo("600");
                assertThat(answer.body()).isEmpty();
            }
            for (String path : List.of("/metrics", "/ui", "/ui/slow")) {
                RawClient.Answer answer = client.exchange(preflight(APP, path));
                assertThat(answer.status()).as(path).isEqualTo(405);
                saysNothing(answer);
            }
            saysNothing(client.exchange(from(APP, METRICS)));
            String noQuestion = preflight(APP, "/v0/batch").replace("Access-Control-Request-Method: PUT\r\n", "");
            assertThat(client.exchange(noQuestion).status()).isEqualTo(405);
            RawClient.Answer misdirected =
                    client.exchange(preflight(APP, "/v0/batch").replace("Host: h", "Host: rebound.example"));
            assertThat(misdirected.status()).isEqualTo(421);
            saysNothing(misdirected);
            assertThat(harness.engine.calls()).isEmpty();
        }
    }

    @Test
    void aPreflightNeedsNoTokenAndWhatFollowsDoes() throws Exception {
        Path file = folder.resolve("tokens");
        String writer = TokenSecret.generate(new SecureRandom());
        Files.write(file, List.of(TokenFile.line("writer", EnumSet.of(Scope.WRITE), writer, 0)));
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.corsOrigins = List.of(APP);
            o.access = o.access.with(a -> a.tokens = file);
        }))) {
            RawClient client = harness.client();
            assertThat(client.exchange(preflight(APP, "/v0/entity?id=k")).status())
                    .isEqualTo(204);
            RawClient.Answer refused = client.exchange(from(APP, put("k", "v")));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header("Access-Control-Allow-Origin"))
                    .as("so that the page can read why")
                    .isEqualTo(APP);
            String with = from(APP, put("k", "v"))
                    .replace("Host: h\r\n", "Host: h\r\nAuthorization: Bearer " + writer + "\r\n");
            assertThat(client.exchange(with).status()).isEqualTo(201);
        }
    }

    @Test
    void theAdministrativePortIsForNoPageOfAnotherOrigin() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
                    o.corsOrigins = List.of(APP);
                    o.livePage = LivePageKind.KEYS;
                    o.access = o.access.with(a -> a.adminPort = 0);
                }));
                RawClient admin = admin(harness)) {
            saysNothing(admin.exchange(from(APP, get("k"))));
            assertThat(admin.exchange(from(APP, put("k", "v"))).status()).isEqualTo(403);
            assertThat(admin.exchange(preflight(APP, "/v0/entity?id=k")).status())
                    .isEqualTo(405);
        }
    }

    private static RawClient admin(NodeHarness harness) throws IOException {
        return new RawClient(URI.create(harness.node.adminUrls().getFirst()).getPort());
    }

    @Test
    void anOriginIsWrittenAsBrowsersSendIt() {
        for (String wrong : List.of(
                "*",
                "null",
                "",
                "app.example",
                "https://",
                "https://app.example/",
                "https://app.example/page",
                "https://*.example",
                "https://App.example",
                "https://app.example:443",
                "http://app.example:80",
                "https://app.example:",
                "ftp://app.example",
                "https://app.example\r\nX: y")) {
            assertThatThrownBy(() -> NodeOptions.defaults().with(o -> o.corsOrigins = List.of(wrong)))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + wrong + "' is no origin");
        }
        assertThat(NodeOptions.defaults()
                        .with(o -> o.corsOrigins = List.of(APP, "http://[::1]:8080"))
                        .corsOrigins())
                .hasSize(2);
    }
}
