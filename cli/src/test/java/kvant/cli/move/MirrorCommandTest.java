package kvant.cli.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import kvant.text.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node whose store moves while it serves, as a real process, under load, by the operator's commands.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MirrorCommandTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @AfterEach
    void close() {
        http.close();
    }

    private int kvant(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private HttpResponse<String> send(ChildNode node, String path, HttpRequest.Builder request) throws Exception {
        return http.send(request.uri(URI.create(node.url() + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void put(ChildNode node, String key, String value) throws Exception {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(value);
        assertThat(send(node, "/v0/entity?id=" + key, HttpRequest.newBuilder().PUT(body))
                        .statusCode())
                .isEqualTo(201);
    }

    private String get(ChildNode node, String path) throws Exception {
        return send(node, path, HttpRequest.newBuilder()).body();
    }

    @Test
    void aStoreMovesUnderLoadAndIsSwitchedOver() throws Exception {
        Path data = folder.resolve("data");
        Path target = folder.resolve("target");
        Map<String, String> acknowledged = new ConcurrentHashMap<>();
        AtomicBoolean stop = new AtomicBoolean();
        try (ChildNode node = ChildNode.serve(data, "--mirror-to", target.toString(), "--mirror-engine", "rocksdb");
                var writer = Executors.newSingleThreadExecutor();
                AutoCloseable _ = () -> stop.set(true)) {
            Future<?> writing = writer.submit(() -> {
                for (int i = 0; !stop.get(); i++) {
                    put(node, "k" + i % 300, "value " + i);
                    acknowledged.put("k" + i % 300, "value " + i);
                }
                return 0;
            });
            await().atMost(TIMEOUT).until(() -> acknowledged.size() > 100);
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(kvant("mirror", "status", "--data", data.toString()))
                        .as(err.toString())
                        .isZero();
                assertThat(out.toString()).contains("state     caught-up", "target    data directory " + target);
            });
            assertThat(get(node, "/readyz?verbose")).contains("mirror", "caught-up");
            await().atMost(TIMEOUT).until(() -> kvant("mirror", "switch", "--data", data.toString()) == ExitCode.DONE);
            assertThat(out.toString()).contains("switched over");
            int then = acknowledged.size();
            put(node, "after", "the switch");
            await("writes go on").atMost(TIMEOUT).until(() -> writing.isDone() || acknowledged.size() >= then);
            assertThat(get(node, "/metrics")).contains("kvant_mirror_state{state=\"switched\"} 1");
            stop.set(true);
            writing.get(60, TimeUnit.SECONDS);
            for (Map.Entry<String, String> each : acknowledged.entrySet()) {
                assertThat(get(node, "/v0/entity?id=" + each.getKey())).isEqualTo(each.getValue());
            }
            assertThat(node.stop()).isZero();
            assertThat(String.join("\n", node.stderr())).contains("mirror: caught-up", "mirror: switched");
        }
        assertThat(kvant("serve", "--port", "0", "--data", data.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .contains("have moved to data directory " + target)
                .hasLineCount(1);
        try (ChildNode node = ChildNode.serve(target, "--engine", "rocksdb")) {
            for (Map.Entry<String, String> each : acknowledged.entrySet()) {
                assertThat(get(node, "/v0/entity?id=" + each.getKey())).isEqualTo(each.getValue());
            }
            assertThat(get(node, "/v0/entity?id=after")).isEqualTo("the switch");
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void aNodeThatIsKilledWhileItCopiesBeginsAnew() throws Exception {
        Path data = folder.resolve("data");
        Path target = folder.resolve("target");
        try (ChildNode node = ChildNode.serve(data)) {
            for (int i = 0; i < 200; i++) {
                put(node, "k" + i, "old");
            }
            assertThat(node.stop()).isZero();
        }
        try (ChildNode node = ChildNode.serve(data, "--mirror-to", target.toString(), "--mirror-rate", "10")) {
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(kvant("mirror", "status", "--data", data.toString())).isZero();
                assertThat(out.toString()).contains("state     copying");
            });
            assertThat(kvant("mirror", "switch", "--data", data.toString())).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString()).contains("not caught up: copying").hasLineCount(1);
            for (int i = 0; i < 200; i++) {
                put(node, "k" + i, "value " + i);
            }
            node.kill();
        }
        assertThat(kvant("serve", "--port", "0", "--data", target.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("unfinished copy of data directory " + data);
        try (ChildNode node = ChildNode.serve(data, "--mirror-to", target.toString())) {
            await().atMost(TIMEOUT).until(() -> kvant("mirror", "switch", "--data", data.toString()) == ExitCode.DONE);
            assertThat(get(node, "/v0/entity?id=k199")).isEqualTo("value 199");
            assertThat(node.stop()).isZero();
        }
        try (ChildNode node = ChildNode.serve(target)) {
            for (int i = 0; i < 200; i++) {
                assertThat(get(node, "/v0/entity?id=k" + i)).isEqualTo("value " + i);
            }
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void mistakesAreRefusedInOneLine() throws Exception {
        Path data = folder.resolve("data");
        assertThat(kvant("serve", "--data", data.toString(), "--mirror-rate", "1MB"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("need '--mirror-to'");
        assertThat(kvant("serve", "--data", data.toString(), "--mirror-to", data.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("the data directory itself");
        assertThat(kvant("serve", "--engine", "cassandra", "--mirror-to", "cassandra"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(kvant("mirror")).isEqualTo(ExitCode.USAGE);
        assertThat(data).doesNotExist();
        try (ChildNode node = ChildNode.serve(data)) {
            assertThat(kvant("mirror", "switch", "--data", data.toString())).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString()).contains("not started with --mirror-to").hasLineCount(1);
            assertThat(node.stop()).isZero();
        }
        assertThat(kvant("mirror", "status", "--data", data.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("no node serves");
    }
}
