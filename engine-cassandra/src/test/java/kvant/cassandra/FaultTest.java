package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.server.Node;
import kvant.server.NodeOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/// Nodes that die and nodes that stand still, as real processes, under constant load at a quorum of three. A server
/// takes long to start: each test starts what it needs, and the order lets the dead stay dead.
@Tag("full") // three minutes: servers of a cluster end and return
@NullUnmarked
@ExtendWith(TestCluster.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultTest {

    private static final String KEYSPACE = "faults";
    private static final int KEYS = 60;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private CassandraEngine engine;

    @BeforeEach
    void open() {
        engine = CassandraEngine.over(TestCluster.session(), TestCluster.options(KEYSPACE));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @AfterAll
    static void heal() {
        TestCluster.awaitAllUp();
        await().atMost(Duration.ofMinutes(1)).until(() -> Figures.nodesUp(TestCluster.session()) == 3);
    }

    /// All nodes are up, and the store is empty.
    private static void whole() {
        heal();
        TestCluster.empty(KEYSPACE);
    }

    @Test
    @Order(3)
    void aKilledNodeFailsNoRequestAfterTheFirstSecondAndLosesNothing() {
        whole();
        try (QuorumLoad load = new QuorumLoad(engine)) {
            load.awaitMore(500);
            TestCluster.cluster().kill(2);
            long killedNanos = System.nanoTime();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> System.nanoTime() - killedNanos > TimeUnit.SECONDS.toNanos(6));
            load.stop();
            assertThat(load.failuresAfter(killedNanos + TimeUnit.SECONDS.toNanos(1)))
                    .isEmpty();
            load.assertNothingLost();
        }
    }

    @Test
    @Order(2)
    void aNodeThatStandsStillKeepsNobodyBeyondTheDeadline() {
        whole();
        try (QuorumLoad load = new QuorumLoad(engine)) {
            load.awaitMore(500);
            TestCluster.cluster().pause(3);
            long pausedNanos = System.nanoTime();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> System.nanoTime() - pausedNanos > TimeUnit.SECONDS.toNanos(6));
            TestCluster.cluster().resume(3);
            load.awaitMore(100);
            load.stop();
            assertThat(load.failuresAfter(0)).isEmpty();
            assertThat(load.longestNanos()).isLessThan(TimeUnit.SECONDS.toNanos(10));
            load.assertNothingLost();
        }
    }

    @Test
    @Order(1)
    void aSecondQuestionSparesGetsANodeThatStandsStill() {
        whole();
        CassandraOptions.Draft draft =
                new CassandraOptions.Draft(TestCluster.options(KEYSPACE).contactPoints());
        draft.keyspace = KEYSPACE;
        draft.speculation = Duration.ofMillis(20);
        try (CassandraEngine asking = CassandraEngine.open(draft.options())) {
            for (int i = 0; i < KEYS; i++) {
                Samples.write(asking, Samples.put("s" + i, "v"));
            }
            TestCluster.cluster().pause(2);
            long[] nanos = new long[KEYS];
            for (int i = 0; i < KEYS; i++) {
                long beganNanos = System.nanoTime();
                assertThat(Samples.read(asking, bytes("s" + i))).isInstanceOf(Lookup.Found.class);
                nanos[i] = System.nanoTime() - beganNanos;
            }
            TestCluster.cluster().resume(2);
            Arrays.sort(nanos);
            // Without it a third of the gets would wait for the next heartbeat that fails, a second or more.
            assertThat(nanos[KEYS * 9 / 10]).isLessThan(TimeUnit.SECONDS.toNanos(1));
            assertThat(secondQuestions(asking)).isPositive();
        }
    }

    private static double secondQuestions(CassandraEngine engine) {
        double[] found = {0};
        engine.measure(new CounterSink() {
            @Override
            public void counter(String name, String help, double value, String... labels) {
                found[0] += name.equals("kvant_cassandra_speculative_total") ? value : 0;
            }
        });
        return found[0];
    }

    @Test
    @Order(4)
    void withoutAQuorumRequestsGet504AndRecoverByThemselves() throws Exception {
        try (Node node = Node.start(NodeOptions.defaults().with(o -> o.port = 0), engine)) {
            assertThat(put(node, "before").statusCode()).isEqualTo(201);
            TestCluster.killWhereAlive(2);
            TestCluster.killWhereAlive(3);
            // Until the living node has noticed, replicas merely do not answer: outcome unknown, which is a 504 too.
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                HttpResponse<String> refused = put(node, "refused");
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(504);
                assertThat(refused.body()).containsAnyOf("outcome-unknown", "replicas-unavailable");
                return refused.body().contains("replicas-unavailable");
            });
            assertThat(put(node, "refused").body()).contains("nothing was applied");
            HttpResponse<String> read = send(request(node, "before").build());
            assertThat(read.statusCode()).isEqualTo(504);
            assertThat(send(request(node, "before&replicas=1/3").build()).body())
                    .isEqualTo("before");
            await().until(() -> !engine.health().ready());
            TestCluster.awaitAllUp();
            await().atMost(Duration.ofMinutes(1)).until(() -> put(node, "after").statusCode() == 201);
            assertThat(Samples.read(engine, bytes("before"))).isInstanceOf(Lookup.Found.class);
            assertThat(Samples.read(engine, bytes("after"))).isInstanceOf(Lookup.Found.class);
        }
    }

    private static HttpResponse<String> put(Node node, String key) throws Exception {
        return send(request(node, key).PUT(BodyPublishers.ofString(key)).build());
    }

    private static HttpRequest.Builder request(Node node, String query) {
        return HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=" + query))
                .timeout(Duration.ofSeconds(30));
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
