package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many requests on one connection.
class PipelineTest {

    @Test
    void aSlowFirstRequestDoesNotChangeTheOrderOfAnswers() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withWorkers(4))) {
            harness.engine.load(bytes("slow"), bytes("slow"));
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("slow"));
            await().until(() -> gate.waiting() == 1);
            harness.engine.blockReads(null);
            client.send(get("fast") + get("none") + put("last", "x"));
            await().until(() -> harness.engine.calls().size() == 3);
            assertThat(client.socket().getInputStream().available()).isZero();
            gate.open();
            assertThat(client.read().text()).isEqualTo("slow");
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aLongPipelineIsAnsweredInOrder(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            RawClient client = harness.client();
            int requests = 2000;
            StringBuilder pipeline = new StringBuilder();
            for (int i = 0; i < requests; i++) {
                harness.engine.load(bytes("k" + i), bytes("value " + i));
                pipeline.append(get("k" + i));
            }
            Thread sender = Thread.startVirtualThread(() -> {
                try {
                    client.send(pipeline.toString());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            for (int i = 0; i < requests; i++) {
                assertThat(client.read().text()).isEqualTo("value " + i);
            }
            sender.join();
        }
    }

    @Test
    void readingStopsAtTheBoundOnUnansweredRequestsAndGoesOnAfterwards() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.eventLoops = 1))) {
            int bound = HttpLimits.defaults().maxPipelined();
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            RawClient client = harness.client().send(put("k", "v").repeat(bound) + put("beyond", "v"));
            await().until(() -> harness.engine.calls().size() >= bound);
            // Behind everything that was read, on the same loop and through the same worker:
            assertThat(harness.client().exchange(get("none")).status()).isEqualTo(404);
            assertThat(harness.engine.calls().stream().filter(call -> call.startsWith("put")))
                    .hasSize(bound);
            gate.open();
            for (int i = 0; i <= bound; i++) {
                assertThat(client.read().status()).isEqualTo(201);
            }
            assertThat(harness.engine.stored(bytes("beyond"))).isNotNull();
        }
    }
}
