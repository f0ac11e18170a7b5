package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Regression: with some versions of Netty's epoll transport a client that had shut its output got a part of a large
/// answer, when the loop had at one moment nothing to wait for on its connection.
class HalfClosedClientsTest {

    private static final int CLIENTS = 4;
    private static final int ROUNDS = 25;
    private static final int VALUE_BYTES = 3_000_000;
    private static final String GET = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void eachGetsAllOfItsLargeAnswers() throws Exception {
        try (NodeHarness harness = NodeHarness.async();
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            harness.engine.load("k".getBytes(StandardCharsets.US_ASCII), new byte[VALUE_BYTES]);
            for (Future<?> client : IntStream.range(0, CLIENTS)
                    .mapToObj(_ -> clients.submit(() -> readHalfClosed(harness)))
                    .toList()) {
                client.get();
            }
        }
    }

    private static Void readHalfClosed(NodeHarness harness) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            RawClient client = harness.client().send(GET + GET);
            client.endOutput();
            assertThat(client.read().body()).hasSize(VALUE_BYTES);
            assertThat(client.read().body()).hasSize(VALUE_BYTES);
            assertThat(client.isClosed()).isTrue();
            client.close();
        }
        return null;
    }
}
