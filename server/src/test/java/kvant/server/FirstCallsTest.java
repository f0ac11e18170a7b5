package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.Test;

/// The reads that a node makes before its first client.
class FirstCallsTest {

    @Test
    void anEngineThatTakesLongerKeepsNothingOfTheWarmUp() throws IOException, StartException {
        try (MemoryEngine engine = new MemoryEngine()) {
            RecordingSink sink = new RecordingSink();
            engine.submit(new Write(WriteBatch.of(Samples.put("\0", "x".repeat(10_000))), sink));
            sink.awaitCompleted(1);
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            try (Node node = Node.start(
                            NodeOptions.defaults().with(o -> {
                                o.port = 0;
                                o.eventLoops = 1;
                            }),
                            engine);
                    RawClient client = new RawClient(node.port())) {
                assertThat(gate.waiting()).as("the range of the warm-up").isOne();
                gate.open();
                await().until(() -> engine.openCursors() == 0);
                String scrape = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
                await().untilAsserted(
                                () -> assertThat(client.exchange(scrape).text().lines())
                                        .contains("kvant_client_memory_bytes{kind=\"answers\"} 0.0"));
            }
        }
    }
}
