package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.EngineException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Several writes in one request: all or none.
class BatchTest {

    private static String batch(String body) {
        return NodeHarness.batch(body);
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void allOperationsAreAppliedInOneCommitAndTheAnswerHasTheLastVersion(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.load(bytes("old"), bytes("value"));
            AtomicLong groups = new AtomicLong(harness.engine.commits());
            RawClient client = harness.client();
            RawClient.Answer answer =
                    client.exchange(batch("put 1 5\nahello\ndelete 3\nold\nput 2 0\nb\u00e9\nput 1 2 60\nc\n\r\n"));
            assertThat(answer.status()).isEqualTo(201);
            assertThat(harness.engine.stored(bytes("a"))).isEqualTo(bytes("hello"));
            assertThat(harness.engine.stored(bytes("old"))).isNull();
            assertThat(harness.engine.stored(bytes("b\u00e9"))).isEmpty();
            assertThat(harness.engine.stored(bytes("c"))).isEqualTo(bytes("\n\r"));
            assertThat(harness.engine.expiry(bytes("c"))).isPositive();
            assertThat(harness.engine.commits()).isEqualTo(groups.get() + 1);
            assertThat(client.exchange(NodeHarness.get("c")).header("ETag")).isEqualTo(answer.header("ETag"));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aBatchThatIsWrongAnywhereIsRefusedWholeWithTheOffset(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            RawClient.Answer answer = harness.client().exchange(batch("put 1 1\nab\nput 1 x\nab\n"));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("urn:kvant:problem:malformed-batch", "at offset 17 ");
            assertThat(harness.engine.stored(bytes("a"))).isNull();
            assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aBatchThatTheEngineRefusesIsAnsweredLikeAnyWrite(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.failWrites(new EngineException.StorageFull("no room"));
            assertThat(harness.client().exchange(batch("put 1 1\nab\n")).status())
                    .isEqualTo(507);
        }
    }
}
