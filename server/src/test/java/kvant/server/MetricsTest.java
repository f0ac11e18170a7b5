package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.Write;
import kvant.server.MemoryEngine.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Metrics and slow requests of a node.
class MetricsTest {

    private static String page(String path, String accept) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\nAccept: " + accept + "\r\n\r\n";
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void figuresOfNodeAndJvmAreThereAndCount(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
            harness.engine.load(bytes("k"), bytes("v"));
            RawClient client = harness.client();
            for (int i = 0; i < 10; i++) {
                assertThat(client.exchange(get("k")).status()).isEqualTo(200);
                assertThat(client.exchange(get("none")).status()).isEqualTo(404);
            }
            assertThat(client.exchange(put("p", "v")).status()).isEqualTo(201);
            RawClient.Answer answer = client.exchange(page("/metrics", "*/*"));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Content-Type")).startsWith("text/plain; version=0.0.4");
            assertThat(answer.text().lines())
                    .contains(
                            "kvant_requests_total{operation=\"get\",result=\"ok\"} 10.0",
                            "kvant_requests_total{operation=\"get\",result=\"miss\"} 10.0",
                            "kvant_requests_total{operation=\"put\",result=\"ok\"} 1.0",
                            "kvant_request_stage_seconds_count{operation=\"get\",stage=\"total\"} 20",
                            "kvant_request_stage_seconds_count{operation=\"put\",stage=\"total\"} 1",
                            "kvant_request_stage_seconds_count{operation=\"range\",stage=\"total\"} 0",
                            "kvant_request_stage_seconds_count{operation=\"get\",stage=\"engine\"} 20",
                            "kvant_request_stage_seconds_count{operation=\"put\",stage=\"commit\"} 1",
                            "kvant_build_info{commit=\"\",engine=\"unknown\",version=\"unknown\"} 1.0",
                            "kvant_connections 1.0")
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
            Set<String> seen = new HashSet<>();
            assertThat(answer.text().lines().filter(line -> !line.startsWith("#")))
                    .allMatch(line -> line.matches("[a-z_]+(_total)?(\\{.*})? [-+0-9.eEInfNa]+"))
                    .allMatch(line -> seen.add(line.substring(0, line.lastIndexOf(' '))));
        }
    }

    @Test
    void aScraperThatAsksForOpenMetricsGetsIt() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient.Answer answer =
                    harness.client().exchange(page("/metrics", "application/openmetrics-text; version=1.0.0"));
            assertThat(answer.header("Content-Type")).startsWith("application/openmetrics-text");
            assertThat(answer.text()).endsWith("# EOF\n");
        }
    }

    @Test
    void aHeadOfAPageHasNoBody() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            RawClient client = harness.client();
            assertThat(client.exchange("HEAD /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
                            .status())
                    .isEqualTo(200);
            assertThat(client.exchange(get("k")).status()).isEqualTo(404);
        }
    }

    @Test
    void aSlowRequestIsKeptWithItsStagesAndWhatWentOnMeanwhile() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> {
                    o.eventLoops = 1;
                    o.slowPage = true;
                }))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient first = harness.client().send(get("in%20engine"));
            await().until(() -> gate.waiting() == 1);
            RawClient second = harness.client().send(get("in-queue"));
            await().until(() -> harness.waiting() == 1);
            long begun = System.nanoTime();
            long flush = harness.engine.observer().began("flush");
            await().until(() -> System.nanoTime() - begun > 50_000_000);
            harness.engine.observer().ended(flush);
            gate.open();
            assertThat(first.read().status()).isEqualTo(404);
            assertThat(second.read().status()).isEqualTo(404);
            String json = harness.client()
                    .exchange(page("/debug/slow", "application/json"))
                    .text();
            String inEngine = request(json, "in%20engine");
            assertThat(millis(inEngine, "engine")).isGreaterThanOrEqualTo(50).isGreaterThan(millis(inEngine, "queue"));
            assertThat(inEngine).contains("\"kind\": \"flush\"");
            String inQueue = request(json, "in-queue");
            assertThat(millis(inQueue, "queue")).isGreaterThanOrEqualTo(50).isGreaterThan(millis(inQueue, "engine"));
            String table =
                    harness.client().exchange(page("/debug/slow", "text/plain")).text();
            assertThat(table.lines().skip(1).findFirst().orElse("")).contains("get", "flush");
        }
    }

    @Test
    void aSlowPutSaysWhereItsTimeInTheEngineWent() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            harness.engine.steps =
                    began -> new Write.Steps(began, began + 1_000_000, began + 6_000_000, began + 9_000_000);
            assertThat(harness.client().exchange(put("written", "v")).status()).isEqualTo(201);
            assertThat(harness.client().exchange(get("read")).status()).isEqualTo(404);
            String json = await() // a request is listed once its answer is written
                    .until(() -> slow(harness), text -> text.contains("\"key\": \"read\""));
            String written = request(json, "written");
            assertThat(millis(written, "wait")).isBetween(0.0, 60_000.0);
            assertThat(millis(written, "append")).isEqualTo(1);
            assertThat(millis(written, "sync")).isEqualTo(5);
            assertThat(millis(written, "apply")).isEqualTo(3);
            assertThat(request(json, "read")).doesNotContain("\"commit\"");
            assertThat(harness.client()
                            .exchange(page("/debug/slow", "text/plain"))
                            .text())
                    .contains("append 1.000, sync 5.000, apply 3.000");
        }
    }

    private static String slow(NodeHarness harness) throws Exception {
        return harness.client()
                .exchange(page("/debug/slow", "application/json"))
                .text();
    }

    /// From the key of a request to the next request.
    private static String request(String json, String key) {
        int from = json.indexOf("\"key\": \"" + key + "\"");
        assertThat(from).as("%s in %s", key, json).isNotNegative();
        int next = json.indexOf("\"key\"", from + 1);
        return json.substring(from, next < 0 ? json.length() : next);
    }

    private static double millis(String request, String stage) {
        Matcher matcher = Pattern.compile("\"" + stage + "\": ([0-9.]+)").matcher(request);
        assertThat(matcher.find()).as(request).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
