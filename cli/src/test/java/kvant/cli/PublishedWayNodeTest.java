package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node of the LSM engine with flushes in the foreground and reads under one lock.
class PublishedWayNodeTest {

    private static final int VALUES = 30;
    private static final String VALUE = "v".repeat(50_000);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "async", "sync", "virtual"})
    void servesWithEveryExecutorAndLeavesNoFlushBehindAnAnswer(String executor) throws Exception {
        try (ChildNode node = ChildNode.serve(
                        folder.resolve("data"),
                        "--lsm.flush",
                        "foreground",
                        "--lsm.reads",
                        "locked",
                        "--lsm.memtable",
                        "400KB",
                        "--executor",
                        executor);
                HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < VALUES; i++) {
                HttpRequest.Builder put =
                        request(node, "/v0/entity?id=k" + i).PUT(HttpRequest.BodyPublishers.ofString(VALUE + i));
                assertThat(send(client, put).statusCode()).isEqualTo(201);
                assertThat(body(client, node, "/metrics")).contains("\nkvant_lsm_sealed_memtables 0.0\n");
            }
            assertThat(body(client, node, "/metrics")).doesNotContain("\nkvant_lsm_flushes_total 0.0\n");
            assertThat(body(client, node, "/v0/entity?id=k7")).isEqualTo(VALUE + 7);
            String range = body(client, node, "/v0/entities?start=k");
            assertThat(range.split("k[0-9]+\n", -1)).hasSize(VALUES + 1);
            assertThat(body(client, node, "/readyz?verbose")).contains("lock");

            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).isEmpty();
        }
    }

    @Test
    void withoutTheSwitchesThereIsNoLock() throws Exception {
        try (ChildNode node =
                        ChildNode.serve(folder.resolve("data"), "--lsm.flush", "background", "--lsm.reads", "free");
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(body(client, node, "/readyz?verbose")).doesNotContain("lock");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--lsm.flush sometimes", "--lsm.reads slow"})
    void anotherValueIsRefusedInOneLine(String option) throws Exception {
        try (ChildNode node =
                ChildNode.run(List.of(), ChildNode.serveArguments(folder.resolve("data"), option.split(" ")))) {
            assertThat(node.awaitExit()).isEqualTo(2);
            assertThat(node.stderr()).singleElement().asString().contains("is not one of");
        }
    }

    private static HttpRequest.Builder request(ChildNode node, String path) {
        return HttpRequest.newBuilder(URI.create(node.url() + path));
    }

    private static String body(HttpClient client, ChildNode node, String path) throws Exception {
        HttpResponse<String> answer = send(client, request(node, path));
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
