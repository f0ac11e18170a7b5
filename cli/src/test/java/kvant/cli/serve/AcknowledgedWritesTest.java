package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Acknowledged writes survive when a real node is killed under load.
///
/// Each client sends one request at a time, so that at a kill each has at most one write whose outcome is open. With
/// `-Dkvant.test.all=true` the node is killed more often.
class AcknowledgedWritesTest {

    private static final int CLIENTS = 6;
    private static final int KILLS = Boolean.getBoolean("kvant.test.all") ? 8 : 2;

    /// A kill comes somewhere between so many acknowledgements of its round.
    private static final int FEWEST_BEFORE_KILL = 20;

    private static final int MOST_BEFORE_KILL = 1_000;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    /// Acknowledged writes: the value that a key must have.
    private final Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();

    /// Unanswered writes: the value that a key may have, entirely or not at all.
    private final Map<String, byte[]> open = new ConcurrentHashMap<>();

    /// Writes that were open at a kill and turned out not to have happened.
    private final Set<String> absent = ConcurrentHashMap.newKeySet();

    private final AtomicInteger round = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void sigkillUnderLoadLosesNothingThatWasAcknowledged(String engine) throws Exception {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        System.out.println("AcknowledgedWritesTest: -Dkvant.seed=" + seed + " engine=" + engine);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        Path data = folder.resolve("data");
        for (int kill = 0; kill < KILLS; kill++) {
            try (ChildNode node = ChildNode.serve(data, "--engine", engine, "--durability", "always")) {
                verifyAll(node);
                killUnderLoad(node, random.nextInt(FEWEST_BEFORE_KILL, MOST_BEFORE_KILL));
            }
        }
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            verifyAll(node);
            assertThat(node.stop()).isZero();
        }
        assertThat(acknowledged).hasSizeGreaterThan(KILLS * FEWEST_BEFORE_KILL);
    }

    @Test
    void aDrainedNodeKeepsWhatItAcknowledgedUnderLoad() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data, "--durability", "none")) {
            List<Thread> clients = startClients(node);
            await().until(() -> acknowledged.size() >= FEWEST_BEFORE_KILL);
            assertThat(node.stop()).isZero();
            join(clients);
        }
        try (ChildNode node = ChildNode.serve(data)) {
            verifyAll(node);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void aRestartKeepsEverythingAndARemovedDirectoryIsAnEmptyStore(String engine) throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            put(node, "key", new byte[] {0, 1, -1});
            put(node, "empty", new byte[0]);
            assertThat(node.stop()).isZero();
        }
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            assertThat(get(node, "key").body()).containsExactly(0, 1, -1);
            assertThat(get(node, "empty").statusCode()).isEqualTo(200);
            assertThat(get(node, "empty").body()).isEmpty();
            assertThat(node.stop()).isZero();
        }
        removeTree(data);
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            assertThat(get(node, "key").statusCode()).isEqualTo(404);
            assertThat(node.stop()).isZero();
        }
    }

    private void killUnderLoad(ChildNode node, int acknowledgementsBeforeKill) throws InterruptedException {
        round.incrementAndGet();
        int target = acknowledged.size() + acknowledgementsBeforeKill;
        List<Thread> clients = startClients(node);
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> acknowledged.size() >= target);
        node.kill();
        join(clients);
    }

    private List<Thread> startClients(ChildNode node) {
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            String prefix = "r" + round.get() + "-c" + client + "-";
            clients.add(Thread.ofPlatform().name(prefix).start(() -> writeUntilTheNodeIsGone(node, prefix)));
        }
        return clients;
    }

    /// The journal of this process: a key moves from open to acknowledged when its 201 has arrived.
    private void writeUntilTheNodeIsGone(ChildNode node, String prefix) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(prefix.hashCode());
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; ; i++) {
                String key = prefix + i;
                byte[] value = new byte[random.nextInt(2_000)];
                random.nextBytes(value);
                open.put(key, value);
                HttpResponse<Void> answer =
                        http.send(request(node, key).PUT(body(value)).build(), HttpResponse.BodyHandlers.discarding());
                if (answer.statusCode() == 201) {
                    acknowledged.put(key, value);
                }
                open.remove(key);
            }
        } catch (IOException _) {
            // the node is gone; the last write stays open
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void verifyAll(ChildNode node) throws Exception {
        List<Thread> readers = new ArrayList<>();
        AtomicReference<AssertionError> first = new AtomicReference<>();
        for (int part = 0; part < CLIENTS; part++) {
            int mine = part;
            readers.add(Thread.ofPlatform().start(() -> {
                try {
                    verifyPart(node, mine);
                } catch (AssertionError e) {
                    first.compareAndSet(null, e);
                }
            }));
        }
        join(readers);
        if (first.get() != null) {
            throw first.get();
        }
        settleOpenWrites(node);
    }

    /// After a restart an open write is there entirely or not at all, and stays so for good.
    private void settleOpenWrites(ChildNode node) {
        for (String key : absent) {
            assertThat(get(node, key).statusCode()).as("resurrected " + key).isEqualTo(404);
        }
        for (Map.Entry<String, byte[]> entry : open.entrySet()) {
            HttpResponse<byte[]> answer = get(node, entry.getKey());
            assertThat(answer.statusCode())
                    .as("open write of " + entry.getKey())
                    .isIn(200, 404);
            if (answer.statusCode() == 200) {
                assertThat(answer.body()).as(entry.getKey()).isEqualTo(entry.getValue());
                acknowledged.put(entry.getKey(), entry.getValue());
            } else {
                absent.add(entry.getKey());
            }
        }
        open.clear();
    }

    private void verifyPart(ChildNode node, int part) {
        for (Map.Entry<String, byte[]> entry : acknowledged.entrySet()) {
            if (Math.floorMod(entry.getKey().hashCode(), CLIENTS) == part) {
                HttpResponse<byte[]> answer = get(node, entry.getKey());
                if (answer.statusCode() != 200 || !Arrays.equals(answer.body(), entry.getValue())) {
                    throw new AssertionError("acknowledged " + entry.getKey() + " was answered with "
                            + answer.statusCode() + " and " + answer.body().length + " bytes instead of "
                            + entry.getValue().length);
                }
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(60))).as("thread ended").isTrue();
        }
    }

    private void put(ChildNode node, String key, byte[] value) throws IOException, InterruptedException {
        assertThat(CLIENT.send(request(node, key).PUT(body(value)).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(201);
    }

    private static HttpResponse<byte[]> get(ChildNode node, String key) {
        try {
            return CLIENT.send(request(node, key).GET().build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError("GET " + key + " failed", e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static HttpRequest.Builder request(ChildNode node, String key) {
        return HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=" + key))
                .timeout(Duration.ofSeconds(30));
    }

    private static HttpRequest.BodyPublisher body(byte[] value) {
        return HttpRequest.BodyPublishers.ofByteArray(value);
    }

    private static void removeTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
