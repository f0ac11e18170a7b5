package kvant.server;

import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A page of a foreign site can do nothing with the browser of a user who reaches the node. WireCases lists the origins
/// and names that count as foreign.
class BrowsersTest {

    private static final List<String> REQUESTS = List.of(
            get("k"),
            put("k", "changed"),
            delete("k"),
            batch("put 1 7\nkchanged"),
            "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /v0/entity/k HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /readyz?verbose HTTP/1.1\r\nHost: h\r\n\r\n");

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aNameThatWasMadeToResolveToTheNodeReadsAndWritesNothing(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            for (String request : REQUESTS) {
                RawClient.Answer answer = client.exchange(request.replace("Host: h", "Host: rebound.example:8080"));
                assertThat(answer.status()).as(request).isEqualTo(421);
                assertThat(answer.text())
                        .contains("urn:kvant:problem:misdirected")
                        .doesNotContain("value");
            }
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("value"));
            assertThat(client.exchange(get("k")).text()).isEqualTo("value");
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aPageOfAnotherOriginWritesNothing(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            for (String mark : List.of("Origin: http://other.example", "Origin: null", "Sec-Fetch-Site: same-site")) {
                for (String request : REQUESTS.subList(1, 4)) {
                    RawClient.Answer answer = client.exchange(request.replace("Host: h", "Host: h\r\n" + mark));
                    assertThat(answer.status()).as(request).isEqualTo(403);
                    assertThat(answer.text()).contains("urn:kvant:problem:cross-site");
                }
            }
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("value"));
        }
    }

    @Test
    void aBatchThatABrowserSendsWithoutAskingIsNone() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            for (String simple : List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
                String request = batch("put 1 1\nkv\n").replace("application/vnd.kvant.batch", simple);
                RawClient.Answer answer = harness.client().exchange(request);
                assertThat(answer.status()).isEqualTo(415);
                assertThat(answer.text()).contains("unsupported-media-type", "application/vnd.kvant.batch");
            }
            assertThat(harness.engine.calls()).isEmpty();
        }
    }

    @Test
    void onAnAddressThatIsNotTheMachinesOwnAnyNameIsServedUntilSomeAreListed() throws Exception {
        String named = get("none").replace("Host: h", "Host: kvant.example");
        String numbered = get("none").replace("Host: h", "Host: 10.0.0.1");
        try (NodeHarness open = new NodeHarness(options -> options.with(o -> {
            o.host = "0.0.0.0";
            o.allowedHosts = List.of();
        }))) {
            assertThat(open.client().exchange(named).status()).isEqualTo(404);
        }
        try (NodeHarness listed = new NodeHarness(options -> options.with(o -> o.host = "0.0.0.0"))) {
            assertThat(listed.client().exchange(named).status()).isEqualTo(421);
            assertThat(listed.client().exchange(numbered).status()).isEqualTo(404);
            assertThat(listed.client().exchange(get("none")).status()).isEqualTo(404);
        }
        try (NodeHarness loopback = new NodeHarness(options -> options.with(o -> o.allowedHosts = List.of()))) {
            assertThat(loopback.client().exchange(named).status()).isEqualTo(421);
            assertThat(loopback.client().exchange(numbered).status()).isEqualTo(404);
        }
    }

    @Test
    void theNameThatANodeListensOnIsServed() throws Exception {
        String request = get("none").replace("Host: h", "Host: 127.1:80"); // no address of a URL, but of Java
        try (NodeHarness harness = NodeHarness.sync()) {
            assertThat(harness.client().exchange(request).status()).isEqualTo(421);
        }
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.host = "127.1"))) {
            assertThat(harness.client().exchange(request).status()).isEqualTo(404);
        }
    }

    @Test
    void allowedHostsAreNames() {
        for (String wrong :
                List.of("", "*.example", "a b", "kvant.example:8080", "http://a", "[::1]", ".example", "a.")) {
            assertThatThrownBy(() -> NodeOptions.defaults().with(o -> o.allowedHosts = List.of(wrong)))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + wrong + "'");
        }
    }

    @Test
    void thePageThatShowsKeysIsThereOnlyWhereItIsAskedFor() throws Exception {
        String request = "GET /debug/slow HTTP/1.1\r\nHost: h\r\n\r\n";
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient.Answer answer = harness.client().exchange(request);
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("unknown-path");
        }
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            assertThat(harness.client().exchange(request).status()).isEqualTo(200);
        }
    }
}
