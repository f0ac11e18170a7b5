package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Framing, smuggling and refusals over real sockets.
class ConformanceTest {

    private static final NodeHarness HARNESS = NodeHarness.async();
    private static final String SMUGGLED = "get " + HexFormat.of().formatHex(NodeHarness.bytes("SMUGGLED"));

    static List<WireCases.Case> cases() {
        return WireCases.all();
    }

    @BeforeEach
    void load() {
        HARNESS.engine.load(NodeHarness.bytes("k"), NodeHarness.bytes("value"));
    }

    @AfterAll
    static void stop() throws Exception {
        HARNESS.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void everyCaseGetsItsAnswersAndNoSmuggledRequestRuns(WireCases.Case wire) throws Exception {
        try (RawClient client = new RawClient(HARNESS.node.port())) {
            client.send(wire.request());
            for (int status : wire.statuses()) {
                RawClient.Answer answer = client.read(wire.bodiless());
                assertThat(answer.status()).as(answer.head()).isEqualTo(status);
                assertWellFormed(answer);
            }
            if (wire.closes()) {
                assertThat(client.isClosed()).as("closes").isTrue();
            } else {
                String probe = "GET /v0/status HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
                assertThat(client.exchange(probe).status()).isEqualTo(200);
                assertThat(client.isClosed()).as("nothing more").isTrue();
            }
        }
        assertThat(HARNESS.engine.calls()).doesNotContain(SMUGGLED);
    }

    @Test
    void thereAreSeveralHundredCases() {
        assertThat(cases()).hasSizeGreaterThan(300);
    }

    private static void assertWellFormed(RawClient.Answer answer) {
        if (answer.status() == 100) {
            assertThat(answer.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            return;
        }
        assertThat(answer.headers("Date")).hasSize(1);
        assertThat(answer.headers("Content-Length").size()
                        + answer.headers("Transfer-Encoding").size())
                .as("framed exactly once: " + answer.head())
                .isEqualTo(1);
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        if (answer.status() >= 400) {
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        }
        if (answer.status() == 405) {
            assertThat(answer.headers("Allow")).hasSize(1);
        }
    }
}
