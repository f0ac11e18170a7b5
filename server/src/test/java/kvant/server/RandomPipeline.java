package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/// Random requests for a few keys of their own, and the answers expected if they were sent one after the other.
final class RandomPipeline {

    private static final int MOST_KEYS = 5;
    private static final int MOST_REQUESTS = 100;

    private record Expected(String request, boolean head, int status, String body) {}

    private final Random random;
    private final String prefix;
    private final String name;
    private final int keys;
    private final NavigableMap<String, String> model = new TreeMap<>();
    private int values;

    /// @param prefix of all keys, which no other client has
    RandomPipeline(long seed, String prefix) {
        this.random = new Random(seed);
        this.prefix = prefix;
        this.name = "seed " + seed;
        this.keys = 2 + random.nextInt(MOST_KEYS - 1);
    }

    /// Sends some and reads the answers, several times.
    void run(int port, int rounds) throws IOException {
        try (RawClient client = new RawClient(port)) {
            for (int round = 0; round < rounds; round++) {
                List<Expected> pipeline = new ArrayList<>();
                int requests = 1 + random.nextInt(MOST_REQUESTS);
                for (int i = 0; i < requests; i++) {
                    pipeline.add(next());
                }
                send(client, pipeline);
                check(client, pipeline);
            }
        }
    }

    /// In one piece, or in several.
    private void send(RawClient client, List<Expected> pipeline) throws IOException {
        StringBuilder text = new StringBuilder();
        pipeline.forEach(each -> text.append(each.request()));
        int from = 0;
        while (random.nextBoolean() && from < text.length()) {
            int to = from + 1 + random.nextInt(text.length() - from);
            client.send(text.substring(from, to));
            from = to;
        }
        client.send(text.substring(from));
    }

    private void check(RawClient client, List<Expected> pipeline) throws IOException {
        for (int i = 0; i < pipeline.size(); i++) {
            Expected expected = pipeline.get(i);
            RawClient.Answer answer = client.read(expected.head());
            String text = expected.status() < 300 ? answer.text() : "";
            assertThat(answer.status() + " " + text)
                    .as("%s, answer %d, to %s", name, i, expected.request())
                    .isEqualTo(expected.status() + " " + expected.body());
        }
    }

    private Expected next() {
        String key = prefix + random.nextInt(keys);
        return switch (random.nextInt(10)) {
            case 0, 1 -> put(key, "", true);
            case 2 -> put(key, "If-None-Match: *\r\n", !model.containsKey(key));
            case 3 -> put(key, "If-Match: *\r\n", model.containsKey(key));
            case 4 -> delete(key);
            case 5 -> batch(key);
            case 6 -> range();
            case 7 -> get(key, "HEAD", true);
            default -> get(key, "GET", false);
        };
    }

    private Expected put(String key, String condition, boolean holds) {
        String value = "value " + values++;
        if (holds) {
            model.put(key, value);
        }
        return new Expected(
                "PUT /v0/entity?id=" + key + " HTTP/1.1\r\nHost: h\r\n" + condition + lengthOf(value) + value,
                false,
                holds ? 201 : 412,
                "");
    }

    private Expected delete(String key) {
        model.remove(key);
        return new Expected("DELETE /v0/entity?id=" + key + " HTTP/1.1\r\nHost: h\r\n\r\n", false, 202, "");
    }

    /// Puts one key and deletes another.
    private Expected batch(String key) {
        String value = "value " + values++;
        String other = prefix + random.nextInt(keys);
        model.put(key, value);
        model.remove(other);
        String body = "put " + key.length() + " " + value.length() + "\n" + key + value + "\ndelete " + other.length()
                + "\n" + other + "\n";
        return new Expected(NodeHarness.batch(body), false, 201, "");
    }

    private Expected range() {
        StringBuilder records = new StringBuilder();
        model.forEach((key, value) -> records.append(key).append('\n').append(value));
        return new Expected(
                "GET /v0/entities?prefix=" + prefix + " HTTP/1.1\r\nHost: h\r\n\r\n", false, 200, records.toString());
    }

    private Expected get(String key, String method, boolean head) {
        String value = model.get(key);
        return new Expected(
                method + " /v0/entity?id=" + key + " HTTP/1.1\r\nHost: h\r\n\r\n",
                head,
                value == null ? 404 : 200,
                value == null || head ? "" : value);
    }

    private static String lengthOf(String body) {
        return "Content-Length: " + body.length() + "\r\n\r\n";
    }
}
