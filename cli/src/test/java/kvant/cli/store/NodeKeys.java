package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;

/// Puts and gets keys of nodes in processes of their own.
final class NodeKeys implements AutoCloseable {

    /// On a machine with other work.
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int MANY = 300;
    private static final int KEYS = 700;

    private final HttpClient http = HttpClient.newHttpClient();

    void put(ChildNode node, String key, String value) {
        HttpRequest put = HttpRequest.newBuilder(uri(node, key))
                .PUT(HttpRequest.BodyPublishers.ofString(value))
                .build();
        assertThat(send(put).statusCode()).isEqualTo(201);
    }

    String get(ChildNode node, String key) {
        return send(HttpRequest.newBuilder(uri(node, key)).build()).body();
    }

    /// Writes growing numbers to a few hundred keys until it is stopped; when this returns, many are written.
    Writing writing(ChildNode node) {
        Writing writing = new Writing(node);
        await().atMost(PATIENCE).until(() -> writing.acknowledged.size() > MANY || writing.result.isDone());
        return writing;
    }

    /// The store that this node serves has at least what was acknowledged then.
    void assertThatHolds(ChildNode node, Map<String, Integer> acknowledged) {
        acknowledged.forEach(
                (key, number) -> assertThat(Integer.parseInt(get(node, key))).isGreaterThanOrEqualTo(number));
    }

    private static URI uri(ChildNode node, String key) {
        return URI.create(node.url() + "/v0/entity?id=" + key);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }

    /// Continuous puts.
    final class Writing implements AutoCloseable {

        private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> result;
        private volatile boolean stopped;

        private Writing(ChildNode node) {
            result = thread.submit(() -> {
                for (int i = 0; !stopped; i++) {
                    String key = "k" + i % KEYS;
                    put(node, key, Integer.toString(i));
                    acknowledged.put(key, i);
                }
            });
        }

        Map<String, Integer> acknowledged() {
            return new TreeMap<>(acknowledged);
        }

        void awaitMore() {
            Map<String, Integer> then = acknowledged();
            await("writes go on").atMost(PATIENCE).until(() -> result.isDone() || !acknowledged.equals(then));
        }

        /// None of them has failed.
        void stop() throws Exception {
            stopped = true;
            result.get(60, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            stopped = true;
            thread.close();
        }
    }
}
