package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HexFormat;
import kvant.server.MemoryEngine.Gate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A condition on a key that has to be read from a disk delays its own request alone: the thread that commits all
/// writes never reads for it.
class ColdConditionTest {

    @ParameterizedTest
    @EnumSource(
            value = ExecutorKind.class,
            names = {"ADAPTIVE", "ASYNC", "VIRTUAL"})
    void otherWritesCommitWhileTheKeyOfAConditionIsRead(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(executor).withWorkers(2).with(o -> o.eventLoops = 1))) {
            harness.engine.load(bytes("cold"), bytes("old"));
            Gate disk = new Gate();
            harness.engine.blockReads(disk);
            RawClient conditional = harness.client();
            conditional.send(putIfPresent("cold", "first") + put("cold", "second"));
            await().atMost(Duration.ofSeconds(60)).until(() -> disk.waiting() == 1);

            RawClient other = harness.client();
            for (int i = 0; i < 10; i++) {
                assertThat(other.exchange(put("other", "v" + i)).status()).isEqualTo(201);
            }
            assertThat(harness.engine.stored(bytes("cold"))).isEqualTo(bytes("old"));
            assertThat(harness.engine.calls()).doesNotContain("put " + hex("cold"));

            harness.engine.blockReads(null);
            disk.open();
            assertThat(conditional.read().status()).isEqualTo(201);
            assertThat(conditional.read().status()).isEqualTo(201);
            assertThat(conditional.exchange(get("cold")).text())
                    .as("in their order")
                    .isEqualTo("second");
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void whatGoesWrongWithTheReadIsSaidByTheEngine(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.failReads(new IllegalStateException("simulated"));
            assertThat(harness.client().exchange(putIfPresent("none", "v")).status())
                    .isEqualTo(412);
        }
    }

    private static String putIfPresent(String id, String value) {
        return put(id, value).replace("Host: h\r\n", "Host: h\r\nIf-Match: *\r\n");
    }

    private static String hex(String key) {
        return HexFormat.of().formatHex(bytes(key));
    }
}
