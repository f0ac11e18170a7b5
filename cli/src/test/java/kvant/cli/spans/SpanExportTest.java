package kvant.cli.spans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spans of slow requests, as a collector gets them, and what becomes of a node whose collector is not well.
class SpanExportTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String OTHER_TRACE = "1af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final List<String> STAGES = List.of("read", "queue", "engine", "commit", "deliver", "write");

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
    }

    private int exchange(ChildNode node, String method, String key, String... headers) throws Exception {
        HttpRequest.BodyPublisher body = method.equals("PUT")
                ? HttpRequest.BodyPublishers.ofString("value")
                : HttpRequest.BodyPublishers.noBody();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=" + key));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.method(method, body).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private double figure(ChildNode node, String line) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(node.url() + "/metrics")).build();
            String page =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return page.lines()
                    .filter(each -> each.startsWith(line + " "))
                    .mapToDouble(each -> Double.parseDouble(each.substring(line.length())))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(line + " is not in " + page));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static Map<String, String> textsOf(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        each -> each.getKey(), each -> each.getValue().getStringValue()));
    }

    @Test
    void aSlowRequestIsASpanBelowThatOfItsClientWithItsStagesBelowIt() throws Exception {
        try (Collector collector = new Collector();
                ChildNode node = ChildNode.serve(
                        folder.resolve("data"), "--otlp-endpoint", collector.url(), "--otlp-slower-than", "0")) {
            String parent = "00-" + TRACE + "-" + SPAN + "-01";
            assertThat(exchange(node, "PUT", "secretkey", "traceparent", parent, "X-Request-Id", "mine"))
                    .isEqualTo(201);
            assertThat(exchange(node, "GET", "none", "traceparent", "00-" + OTHER_TRACE + "-" + SPAN + "-00"))
                    .isEqualTo(404);
            assertThat(exchange(node, "GET", "secretkey")).isEqualTo(200);
            await().atMost(PATIENCE).until(() -> collector.named("get").size() >= 1);
            Span put = collector.named("put").getFirst();
            Span get = collector.named("get").getFirst();

            assertThat(hex(put.getTraceId())).isEqualTo(TRACE);
            assertThat(hex(put.getParentSpanId())).isEqualTo(SPAN);
            assertThat(put.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
            assertThat(textsOf(put.getAttributesList()))
                    .containsEntry("kvant.operation", "put")
                    .containsEntry("kvant.result", "ok")
                    .containsEntry("kvant.request_id", "mine");
            assertThat(get.getParentSpanId().isEmpty()).isTrue();
            assertThat(collector.spans().stream().map(each -> hex(each.getTraceId())))
                    .doesNotContain(OTHER_TRACE);
            assertStages(collector, put);
            assertStages(collector, get);
            assertThat(collector.below(put).stream().map(Span::getName))
                    .contains("commit")
                    .doesNotContain("engine");
            Span commit = collector.below(put).stream()
                    .filter(each -> each.getName().equals("commit"))
                    .findFirst()
                    .orElseThrow();
            assertThat(collector.below(commit).stream().map(Span::getName)).contains("sync");
            ResourceSpans sent = collector.resources().getFirst();
            assertThat(textsOf(sent.getResource().getAttributesList()))
                    .containsEntry("service.name", "kvant")
                    .containsEntry("service.instance.id", node.url());
            assertThat(collector.everything()).doesNotContain("secretkey");
            await().atMost(PATIENCE).until(() -> figure(node, "kvant_slow_spans_sent_total") >= 2);
        }
    }

    private static void assertStages(Collector collector, Span request) {
        List<Span> stages = collector.below(request);
        assertThat(stages).isNotEmpty().allSatisfy(stage -> {
            assertThat(STAGES).contains(stage.getName());
            assertThat(stage.getStartTimeUnixNano()).isGreaterThanOrEqualTo(request.getStartTimeUnixNano());
            assertThat(stage.getEndTimeUnixNano()).isLessThanOrEqualTo(request.getEndTimeUnixNano());
        });
        long sum = stages.stream()
                .mapToLong(each -> each.getEndTimeUnixNano() - each.getStartTimeUnixNano())
                .sum();
        assertThat(sum).isEqualTo(request.getEndTimeUnixNano() - request.getStartTimeUnixNano());
    }

    @Test
    void aCollectorThatIsNotThereCostsALineAndTheSpans() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        try (ChildNode node = ChildNode.serve(
                folder.resolve("data"), "--otlp-endpoint", "http://127.0.0.1:" + free, "--otlp-slower-than", "0")) {
            for (int i = 0; i < 3; i++) {
                int lost = i;
                assertThat(exchange(node, "GET", "k")).isEqualTo(404);
                await().atMost(PATIENCE)
                        .until(() -> figure(node, "kvant_slow_spans_lost_total{cause=\"collector\"}") > lost);
            }
            node.stop();
            assertThat(node.stderr())
                    .singleElement()
                    .asString()
                    .contains("http://127.0.0.1:" + free + "/v1/traces", "does not take spans");
        }
    }

    @Test
    void aCollectorThatHangsKeepsNoRequestWaiting() throws Exception {
        try (Collector collector = new Collector();
                ChildNode node = ChildNode.serve(
                        folder.resolve("data"),
                        "--otlp-endpoint",
                        collector.url() + "/v1/traces",
                        "--otlp-slower-than",
                        "0",
                        "--otlp-queue",
                        "16")) {
            collector.hang();
            assertThat(exchange(node, "GET", "k")).isEqualTo(404);
            await().atMost(PATIENCE).until(() -> collector.waiting() == 1);
            for (int i = 0; i < 40; i++) {
                assertThat(exchange(node, "GET", "k")).isEqualTo(404);
            }
            assertThat(figure(node, "kvant_slow_spans_lost_total{cause=\"queue\"}"))
                    .isGreaterThanOrEqualTo(20);
            collector.goOn();
        }
    }

    @Test
    void whoWantsNoSpansLoadsNothingForThem() throws Exception {
        Path classes = folder.resolve("classes");
        try (ChildNode node = ChildNode.run(
                List.of("-Xmx256m", "-Xlog:class+load:file=" + classes),
                ChildNode.serveArguments(folder.resolve("data")))) {
            node.awaitReady();
            assertThat(exchange(node, "GET", "k")).isEqualTo(404);
            node.stop();
        }
        String loaded = Files.readString(classes, StandardCharsets.UTF_8);
        assertThat(loaded).contains("kvant.server.Node").doesNotContain("io.opentelemetry");
    }
}
