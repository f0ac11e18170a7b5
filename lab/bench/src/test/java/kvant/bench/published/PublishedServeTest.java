package kvant.bench.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.bench.Main;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node with flushes in the foreground and reads under one lock, as a process.
@Tag("full") // two minutes: ways that lost
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PublishedServeTest {

    private static final String READY = "listening on ";
    private static final int VALUES = 30;
    private static final String VALUE = "v".repeat(50_000);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "async", "sync", "virtual"})
    void servesWithEveryExecutorAndLeavesNoFlushBehindAnAnswer(String executor) throws Exception {
        Process node = serve(
                "--published", "locked-reads,foreground-flush", "--lsm.memtable", "400KiB", "--executor", executor);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String url = url(node);
            for (int i = 0; i < VALUES; i++) {
                HttpRequest.Builder put =
                        request(url, "/v0/entity?id=k" + i).PUT(HttpRequest.BodyPublishers.ofString(VALUE + i));
                assertThat(send(client, put).statusCode()).isEqualTo(201);
                assertThat(body(client, url, "/metrics")).contains("\nkvant_lsm_sealed_memtables 0.0\n");
            }
            assertThat(body(client, url, "/metrics")).doesNotContain("\nkvant_lsm_flushes_total 0.0\n");
            assertThat(body(client, url, "/v0/entity?id=k7")).isEqualTo(VALUE + 7);
            String range = body(client, url, "/v0/entities?start=k");
            assertThat(range.split("k[0-9]+\n", -1)).hasSize(VALUES + 1);
            assertThat(body(client, url, "/readyz?verbose")).contains("locked-reads", "foreground-flush");
            assertThat(stop(node)).isZero();
            assertThat(folder.resolve("stderr")).isEmptyFile();
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void withoutPublishedWaysItIsAnyNode() throws Exception {
        Process node = serve();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(body(client, url(node), "/readyz?verbose")).doesNotContain("locked-reads", "foreground-flush");
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void aWayThatNobodyPublishedIsRefusedInOneLine() {
        StringWriter err = new StringWriter();
        assertThat(execute(err, "serve", "--published", "locked-reads,slow")).isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("'slow' is not one of locked-reads, foreground-flush");
    }

    @Test
    void anOptionThatServeDoesNotHaveIsRefusedInOneLine() {
        StringWriter err = new StringWriter();
        assertThat(execute(err, "serve", "--published", "locked-reads", "--lsm.reads", "locked"))
                .isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("unknown option '--lsm.reads'");
    }

    private static int execute(StringWriter err, String... words) {
        return Main.execute(new PrintWriter(new StringWriter(), true), new PrintWriter(err, true), words);
    }

    private Process serve(String... options) throws IOException {
        List<String> command = QuickNodes.java("-Xmx256m");
        command.addAll(QuickNodes.running(Main.class.getName(), "serve"));
        command.addAll(List.of(
                "--port",
                "0",
                "--warm-up",
                "0",
                "--data",
                folder.resolve("data").toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("stderr").toFile())
                .start();
    }

    private String url(Process node) throws IOException {
        BufferedReader out = node.inputReader();
        String line = out.readLine();
        assertThat(line).as(() -> "first line of stdout; stderr: " + stderr()).startsWith(READY);
        return line.substring(READY.length());
    }

    private String stderr() {
        try {
            return Files.readString(folder.resolve("stderr"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static int stop(Process node) throws InterruptedException {
        node.destroy();
        return node.waitFor();
    }

    private static HttpRequest.Builder request(String url, String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    private static String body(HttpClient client, String url, String path) throws Exception {
        HttpResponse<String> answer = send(client, request(url, path));
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
