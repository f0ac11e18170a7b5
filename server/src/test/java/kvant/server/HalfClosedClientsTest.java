package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The end of a client's input: with some versions of Netty's epoll transport it cut a large answer short, and by
/// io_uring Linux may not report it when data came just before.
class HalfClosedClientsTest {

    private static final int CLIENTS = 4;
    private static final int ROUNDS = 25;
    private static final int VALUE_BYTES = 3_000_000;
    private static final int BURSTS = 100;
    private static final int BURST_RESETS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
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

    /// In bursts: data and reset of a connection arrive while the event loop is busy with others.
    @Test
    void aResetBehindAPartOfARequestEndsItsConnection() throws Exception {
        byte[] part = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf"
                .getBytes(StandardCharsets.US_ASCII);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.eventLoops = 1))) {
            for (int burst = 0; burst < BURSTS; burst++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                for (int i = 0; i < BURST_RESETS; i++) {
                    try (Socket client = new Socket("127.0.0.1", harness.node.port())) {
                        client.setSoLinger(true, 0);
                        client.getOutputStream().write(part);
                    }
                }
            }
            await().until(() -> harness.node.connections() == 0);
        }
    }
}
