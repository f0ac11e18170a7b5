package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import kvant.engine.Engine;
import kvant.server.ExecutorKind;
import kvant.server.Node;
import kvant.server.NodeOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The HTTP contract over a real cluster of three nodes, with each executor.
@NullUnmarked
@ExtendWith(TestCluster.class)
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class HttpContractTest {

    private static final String KEYSPACE = "http";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Parameter
    ExecutorKind executor;

    private Engine engine;
    private Node node;

    @BeforeEach
    void start() throws Exception {
        engine = CassandraEngine.over(TestCluster.session(), TestCluster.options(KEYSPACE));
        TestCluster.empty(KEYSPACE);
        node = Node.start(
                NodeOptions.defaults()
                        .with(o -> o.port = 0)
                        .withExecutor(executor)
                        .with(o -> o.drainTimeout = Duration.ofSeconds(5)),
                engine);
    }

    @AfterEach
    void stop() {
        node.close();
        engine.close();
    }

    @Test
    void aValueIsWrittenReadAndRemoved() throws Exception {
        HttpResponse<String> put = put("/v0/entity?id=key", "value");
        assertThat(put.statusCode()).isEqualTo(201);
        HttpResponse<String> got = get("/v0/entity?id=key");
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("value");
        assertThat(got.headers().firstValue("ETag")).isEqualTo(put.headers().firstValue("ETag"));
        assertThat(delete("/v0/entity?id=key").statusCode()).isEqualTo(202);
        assertThat(get("/v0/entity?id=key").statusCode()).isEqualTo(404);
        assertThat(delete("/v0/entity?id=key").statusCode()).isEqualTo(202);
    }

    @Test
    void bytesRoundTrip() throws Exception {
        assertThat(put("/v0/entity?id=%00%0d%0a%ff", "\u0000\u00ff\n").statusCode())
                .isEqualTo(201);
        assertThat(get("/v0/entity?id=%00%0d%0a%ff").body()).isEqualTo("\u0000\u00ff\n");
        assertThat(put("/v0/entity?id=empty", "").statusCode()).isEqualTo(201);
        HttpResponse<String> empty = get("/v0/entity?id=empty");
        assertThat(empty.statusCode()).isEqualTo(200);
        assertThat(empty.body()).isEmpty();
    }

    @Test
    void aRangeIsSortedAcrossTheCluster() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 100; i < 140; i++) {
            put("/v0/entity?id=k" + i, "v" + i);
            all.append("k").append(i).append("\nv").append(i);
        }
        assertThat(get("/v0/entities?start=k").body()).isEqualTo(all.toString());
        assertThat(get("/v0/entities?start=k105&end=k107").body()).isEqualTo("k105\nv105k106\nv106");
        assertThat(get("/v0/entities?prefix=k13&limit=1").body()).isEqualTo("k130\nv130");
        assertThat(get("/v0/entities?start=z").body()).isEmpty();
    }

    @Test
    void aRangeWithoutAnOrderHoldsTheSameRecords() throws Exception {
        for (int i = 10; i < 90; i++) {
            put("/v0/entity?id=k" + i, "v");
        }
        String sorted = get("/v0/entities?start=k15&end=k80").body();
        String any = get("/v0/entities?start=k15&end=k80&order=none").body();
        assertThat(any).hasSameSizeAs(sorted);
        assertThat(any.split("(?<=v)")).containsExactlyInAnyOrder(sorted.split("(?<=v)"));
        assertThat(get("/v0/entities?prefix=k&limit=7&order=none").body()).hasSize(7 * "k10\nv".length());
        assertThat(get("/metrics").body()).contains("operation=\"export\"");
    }

    @Test
    void conditionsAreJudgedByTheCluster() throws Exception {
        HttpResponse<String> created = conditional("If-None-Match", "*", "1");
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(conditional("If-None-Match", "*", "2").statusCode()).isEqualTo(412);
        String version = created.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> changed = conditional("If-Match", version, "3");
        assertThat(changed.statusCode()).isEqualTo(201);
        assertThat(conditional("If-Match", version, "4").statusCode()).isEqualTo(412);
        assertThat(get("/v0/entity?id=guarded").body()).isEqualTo("3");
        HttpRequest known = request("/v0/entity?id=guarded")
                .header("If-None-Match", changed.headers().firstValue("ETag").orElseThrow())
                .build();
        assertThat(send(known).statusCode()).isEqualTo(304);
    }

    @Test
    void aLifeTimeEnds() throws Exception {
        assertThat(put("/v0/entity?id=short&ttl=1", "v").statusCode()).isEqualTo(201);
        assertThat(put("/v0/entity?id=long&ttl=3600", "v").statusCode()).isEqualTo(201);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> get("/v0/entity?id=short").statusCode() == 404);
        assertThat(get("/v0/entity?id=long").statusCode()).isEqualTo(200);
    }

    @Test
    void aRequestSaysHowManyReplicasMustAnswer() throws Exception {
        for (String good : new String[] {"replicas=1/3", "replicas=2/3", "ack=3&from=3", "ack=1", "from=3"}) {
            assertThat(put("/v0/entity?id=a&" + good, good).statusCode())
                    .as(good)
                    .isEqualTo(201);
            assertThat(get("/v0/entity?id=a&" + good).statusCode()).as(good).isEqualTo(200);
        }
        for (String bad : new String[] {"replicas=1/2", "replicas=4/3", "replicas=2/5", "ack=0", "ack=4", "from=1"}) {
            assertThat(put("/v0/entity?id=a&" + bad, bad).statusCode()).as(bad).isEqualTo(400);
            assertThat(get("/v0/entity?id=a&" + bad).statusCode()).as(bad).isEqualTo(400);
        }
        assertThat(get("/metrics").body())
                .contains("kvant_cassandra_requests_total{consistency=\"ALL\",operation=\"write\"}")
                .contains("kvant_cassandra_requests_total{consistency=\"ONE\",operation=\"get\"}")
                .contains("kvant_cassandra_nodes_up 3.0");
    }

    @Test
    void aBatchIsApplied() throws Exception {
        put("/v0/entity?id=gone", "x");
        String body = "put 3 5\nnewvalue\ndelete 4\ngone\n";
        HttpRequest post = request("/v0/batch")
                .header("Content-Type", "application/vnd.kvant.batch")
                .POST(BodyPublishers.ofString(body))
                .build();
        assertThat(send(post).statusCode()).isEqualTo(201);
        assertThat(get("/v0/entity?id=new").body()).isEqualTo("value");
        assertThat(get("/v0/entity?id=gone").statusCode()).isEqualTo(404);
    }

    @Test
    void theProbeNamesTheCluster() throws Exception {
        HttpResponse<String> ready = get("/readyz?verbose");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body())
                .contains("3 of 3 nodes up")
                .contains("127.0.0.1:9042")
                .contains("schema");
    }

    @Test
    void aKeyTooLongForTheClusterIsRefusedWithAReason() throws Exception {
        HttpResponse<String> refused = put("/v0/entity?id=" + "k".repeat(65_536), "v");
        assertThat(refused.statusCode()).isEqualTo(501);
        assertThat(refused.body()).contains("65535");
    }

    private HttpResponse<String> conditional(String header, String value, String body) throws Exception {
        return send(request("/v0/entity?id=guarded")
                .header(header, value)
                .PUT(BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> put(String path, String value) throws Exception {
        return send(request(path)
                .PUT(BodyPublishers.ofString(value, StandardCharsets.ISO_8859_1))
                .build());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path).build());
    }

    private HttpResponse<String> delete(String path) throws Exception {
        return send(request(path).DELETE().build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(node.url() + path)).timeout(Duration.ofSeconds(30));
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        return CLIENT.send(request, BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
    }
}
