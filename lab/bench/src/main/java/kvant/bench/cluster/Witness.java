package kvant.bench.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Writes new keys at a constant rate, and records which writes were acknowledged, and when others failed.
///
/// A thread of its own writes; the records are read when that has ended.
final class Witness {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CREATED = 201;
    private static final int OK = 200;

    // Constant.
    private final String name;
    private final String url;
    private final long epoch;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);

    // Owned by the thread until it ends.
    private final List<String> acknowledged = new ArrayList<>();
    private final List<Long> failedNanos = new ArrayList<>();

    private Witness(String name, String url, long epoch) {
        this.name = name;
        this.url = url;
        this.epoch = epoch;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /// @param epoch when the first write is due, of `System.nanoTime`
    static Witness start(String name, String url, long epoch) {
        Witness witness = new Witness(name, url, epoch);
        witness.thread.start();
        return witness;
    }

    private void run() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (long turn = 0; ; turn++) {
                long due = epoch + turn * PERIOD_NANOS;
                if (ended.await(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    return;
                }
                String key = "w-" + name + "-" + turn;
                if (put(client, key)) {
                    acknowledged.add(key);
                } else {
                    failedNanos.add(System.nanoTime() - epoch);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest.Builder request(String key) {
        return HttpRequest.newBuilder(URI.create(url + "/v0/entity?id=" + key)).timeout(TIMEOUT);
    }

    private boolean put(HttpClient client, String key) throws InterruptedException {
        try {
            HttpRequest put =
                    request(key).PUT(HttpRequest.BodyPublishers.ofString(key)).build();
            return client.send(put, HttpResponse.BodyHandlers.discarding()).statusCode() == CREATED;
        } catch (IOException _) {
            return false;
        }
    }

    /// Ends the writing.
    void end() throws InterruptedException {
        ended.countDown();
        thread.join(TIMEOUT);
    }

    int acknowledged() {
        return acknowledged.size();
    }

    /// When writes failed, since the epoch.
    List<Long> failedNanos() {
        return failedNanos;
    }

    /// How many of the acknowledged writes a quorum does not have.
    long lost() throws InterruptedException {
        long lost = 0;
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String key : acknowledged) {
                lost += has(client, key) ? 0 : 1;
            }
        }
        return lost;
    }

    private boolean has(HttpClient client, String key) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(request(key).GET().build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == OK && answer.body().equals(key);
        } catch (IOException _) {
            return false;
        }
    }
}
