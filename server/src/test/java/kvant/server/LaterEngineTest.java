package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.engine.Terms;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// An engine over a network: no thread waits for it, it gets the options of the request, and its failures have answers
/// of their own. With each executor.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class LaterEngineTest {

    @Parameter
    ExecutorKind executor;

    private final LaterEngine engine = new LaterEngine();
    private Node node;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        node = Node.start(
                NodeOptions.defaults()
                        .with(o -> o.port = 0)
                        .withExecutor(executor)
                        .with(o -> {
                            o.eventLoops = 1;
                            o.allowedHosts = NodeHarness.HOSTS;
                            o.drainTimeout = Duration.ofSeconds(1);
                        }),
                engine);
        client = new RawClient(node.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        node.close();
    }

    @Test
    void aReadIsAnsweredWhenTheEngineAnswers() throws Exception {
        client.send(bytes(get("a") + get("b") + get("c") + get("d")));
        await().until(() -> engine.reads.size() == 4); // one connection, and none of them waits for another
        take("a").answered(new Lookup.Found(bytes("value"), 7));
        take("b").answered(Lookup.Miss.ABSENT);
        take("c").failed(new EngineException.TimedOut("1 of 2 replicas answered"));
        take("d").failed(new EngineException.Unavailable("1 of 2 replicas live"));
        assertThat(client.read().text()).isEqualTo("value");
        assertThat(client.read().status()).isEqualTo(404);
        RawClient.Answer late = client.read();
        assertThat(late.status()).isEqualTo(504);
        assertThat(late.text()).contains("urn:kvant:problem:read-timed-out").contains("1 of 2 replicas answered");
        RawClient.Answer unavailable = client.read();
        assertThat(unavailable.status()).isEqualTo(504);
        assertThat(unavailable.text()).contains("urn:kvant:problem:replicas-unavailable");
    }

    @Test
    void aWriteThatFailedSaysWhetherItMayHaveHappened() throws Exception {
        assertAnswer(new EngineException.OutcomeUnknown("it may have been applied"), 504, "outcome-unknown");
        assertAnswer(new EngineException.Unavailable("nothing was applied"), 504, "replicas-unavailable");
        assertAnswer(new EngineException.Unsupported("too long"), 501, "unsupported");
        assertAnswer(new EngineException.Busy("busy"), 503, "overloaded");
    }

    @Test
    void theEngineIsToldHowManyReplicasAndHowLong() throws Exception {
        assertThat(termsOf("", "").acks()).isEqualTo(Terms.USUAL_ACKS);
        assertThat(termsOf("&replicas=2/3", "").acks()).isEqualTo(2);
        assertThat(termsOf("&ack=3&from=3", "").acks()).isEqualTo(3);
        assertThat(termsOf("&ack=1", "").acks()).isEqualTo(1);
        assertThat(termsOf("&from=3", "").acks()).isEqualTo(Terms.USUAL_ACKS);
        assertThat(termsOf("", "Kvant-Deadline-Millis: 60000\r\n").timeoutNanos())
                .isBetween(1L, Duration.ofSeconds(60).toNanos());
    }

    @Test
    void theEngineIsToldWhatAWriteAsksFor() throws Exception {
        client.send(bytes(put("a&replicas=2/3", "value")));
        await().until(() -> !engine.writes.isEmpty());
        engine.fail(new EngineException.Busy("busy"));
        assertThat(client.read().status()).isEqualTo(503);
        assertThat(engine.terms.acks()).isEqualTo(2);
    }

    @Test
    void fromIsTheNumberOfReplicas() throws Exception {
        for (String bad : new String[] {"replicas=1/1", "replicas=2/2", "replicas=4/4", "ack=4", "ack=0", "from=2"}) {
            assertThat(client.exchange(get("a&" + bad)).status()).as(bad).isEqualTo(400);
        }
        assertThat(engine.reads).isEmpty();
    }

    /// Workers may have handed them over in any order.
    private Read take(String key) {
        Read read = engine.reads.stream()
                .filter(each -> Arrays.equals(each.key(), bytes(key)))
                .findFirst()
                .orElseThrow();
        engine.reads.remove(read);
        return read;
    }

    private void assertAnswer(EngineException reason, int status, String type) throws Exception {
        client.send(bytes(put("key", "value")));
        await().until(() -> !engine.writes.isEmpty());
        engine.fail(reason);
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.text()).contains("urn:kvant:problem:" + type).contains(String.valueOf(reason.getMessage()));
    }

    private Terms termsOf(String query, String header) throws Exception {
        client.send(bytes("GET /v0/entity?id=a" + query + " HTTP/1.1\r\nHost: h\r\n" + header + "\r\n"));
        await().until(() -> !engine.reads.isEmpty());
        engine.reads.remove().answered(Lookup.Miss.ABSENT);
        assertThat(client.read().status()).isEqualTo(404);
        return engine.terms;
    }
}
