package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node that takes no writes, from its start or after a switch.
class ReadOnlyTest {

    private static final String NO_BODY = "Content-Length: 0\r\n";
    private static final String ON = "{\"readOnly\":true}\n";
    private static final String OFF = "{\"readOnly\":false}\n";

    @TempDir
    Path folder;

    private static String mode(String method, String headers) {
        return method + " /v0/read-only HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
    }

    private static String bearer(String secret) {
        return "Authorization: Bearer " + secret + "\r\n";
    }

    @Test
    void writesAreRefusedAndReadsGoOn() throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            RawClient client = harness.client();
            assertThat(client.exchange(NodeHarness.put("a", "1")).status()).isEqualTo(201);

            harness.node.readOnly(true);

            for (String write : List.of(NodeHarness.put("a", "2"), NodeHarness.delete("a"), NodeHarness.batch(""))) {
                RawClient.Answer refused = client.exchange(write);
                assertThat(refused.status()).as(write).isEqualTo(403);
                assertThat(refused.text()).contains("urn:kvant:problem:read-only", "reads continue");
            }
            assertThat(client.exchange(NodeHarness.get("a")).text()).isEqualTo("1");
            assertThat(harness.figure("kvant_read_only")).isEqualTo(1);
            RawClient.Answer ready = client.exchange("GET /readyz?verbose HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.text()).contains("writes: ok: refused, because the node is read-only");

            harness.node.readOnly(false);

            assertThat(client.exchange(NodeHarness.put("a", "3")).status()).isEqualTo(201);
            assertThat(harness.figure("kvant_read_only")).isZero();
        }
    }

    @Test
    void aNodeIsReadOnlyFromItsStart() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.readOnly = true))) {
            RawClient client = harness.client();
            assertThat(client.exchange(NodeHarness.put("a", "1")).status()).isEqualTo(403);
            assertThat(client.exchange(NodeHarness.get("a")).status()).isEqualTo(404);
        }
    }

    @Test
    void itIsSwitchedAndAskedForOverHttp() throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            RawClient client = harness.client();
            assertThat(client.exchange(mode("GET", "")).text()).isEqualTo(OFF);
            for (int i = 0; i < 2; i++) { // once more changes nothing
                RawClient.Answer on = client.exchange(mode("PUT", NO_BODY));
                assertThat(on.status()).isEqualTo(200);
                assertThat(on.header("Content-Type")).isEqualTo("application/json");
                assertThat(on.text()).isEqualTo(ON);
            }
            assertThat(client.exchange(mode("GET", "")).text()).isEqualTo(ON);
            assertThat(harness.client().exchange(NodeHarness.put("a", "1")).status())
                    .isEqualTo(403);
            assertThat(client.exchange(mode("DELETE", "")).text()).isEqualTo(OFF);
            assertThat(client.exchange(NodeHarness.put("a", "1")).status()).isEqualTo(201);
        }
    }

    @Test
    void whoeverIsNoAdministratorSwitchesNothing() throws Exception {
        Path file = folder.resolve("tokens");
        String app = TokenSecret.generate(new SecureRandom());
        String boss = TokenSecret.generate(new SecureRandom());
        Files.write(
                file,
                List.of(
                        TokenFile.line("app", EnumSet.of(Scope.READ, Scope.WRITE), app, 0),
                        TokenFile.line("boss", EnumSet.of(Scope.ADMIN), boss, 0)));
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.access = o.access.with(a -> a.tokens = file);
        }))) {
            RawClient client = harness.client();
            for (String method : List.of("GET", "PUT", "DELETE")) {
                assertThat(client.exchange(mode(method, "")).status()).isEqualTo(401);
                assertThat(client.exchange(mode(method, bearer(app))).status()).isEqualTo(403);
            }
            assertThat(client.exchange(mode("GET", bearer(boss))).text()).isEqualTo(OFF);
            assertThat(client.exchange(mode("PUT", bearer(boss))).text()).isEqualTo(ON);
            assertThat(client.exchange(mode("DELETE", bearer(app))).status()).isEqualTo(403);
            assertThat(client.exchange(mode("GET", bearer(boss))).text()).isEqualTo(ON);
        }
    }

    /// "false" as a body, or a condition, says that something else is meant than the method does.
    @Test
    void whatIsNotMeantSoSwitchesNothing() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.with(o -> o.corsOrigins = List.of("https://app.example")))) {
            RawClient client = harness.client();
            RawClient.Answer body = client.exchange(mode("PUT", "Content-Length: 5\r\n") + "false");
            assertThat(body.status()).isEqualTo(400);
            assertThat(body.text()).contains("urn:kvant:problem:unexpected-body");
            assertThat(client.exchange(mode("PUT", "If-Match: *\r\n")).text()).contains("bad-precondition");
            for (String page : List.of("https://elsewhere.example", "https://app.example")) {
                RawClient.Answer foreign = client.exchange(mode("PUT", "Origin: " + page + "\r\n"));
                assertThat(foreign.text()).contains("urn:kvant:problem:cross-site");
            }
            String first = mode("OPTIONS", "Origin: https://app.example\r\nAccess-Control-Request-Method: PUT\r\n");
            assertThat(client.exchange(first).status()).isEqualTo(405);
            RawClient.Answer method = client.exchange(mode("POST", NO_BODY));
            assertThat(method.status()).isEqualTo(405);
            assertThat(method.header("Allow")).isEqualTo("GET, HEAD, PUT, DELETE");
            assertThat(client.exchange(mode("GET", "")).text()).isEqualTo(OFF);
        }
    }

    @Test
    void whereAdministrationIsApartClientsDoNotReachIt() throws Exception {
        try (NodeHarness harness =
                        new NodeHarness(options -> options.with(o -> o.access = o.access.with(a -> a.adminPort = 0)));
                RawClient admin = new RawClient(
                        URI.create(harness.node.adminUrls().getFirst()).getPort())) {
            assertThat(harness.client().exchange(mode("PUT", NO_BODY)).status()).isEqualTo(404);
            assertThat(admin.exchange(mode("GET", "")).text()).isEqualTo(OFF);
            assertThat(admin.exchange(mode("PUT", NO_BODY)).text()).isEqualTo(ON);
            assertThat(harness.client().exchange(NodeHarness.put("a", "1")).status())
                    .isEqualTo(403);
        }
    }
}
