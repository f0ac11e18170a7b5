package kvant.server;

import static kvant.server.ChangesHarness.base64;
import static kvant.server.ChangesHarness.changes;
import static kvant.server.ChangesHarness.line;
import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import kvant.lsm.LsmOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The answers to a client that follows the changes of a store.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class ChangesTest {

    @Parameter
    ExecutorKind executor;

    @TempDir
    Path directory;

    private ChangesHarness harness;

    @BeforeEach
    void start() {
        harness = harness("data", o -> o.maxFollowers = 2);
    }

    private ChangesHarness harness(String name, Consumer<NodeOptions.Draft> change) {
        return new ChangesHarness(
                directory.resolve(name),
                LsmOptions.defaults().with(o -> o.headroomBytes = 0),
                options -> options.withExecutor(executor).with(change));
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void changesAreLinesInTheOrderOfTheWrites() throws Exception {
        String etag = harness.exchange(put("a", "one")).header("ETag");
        harness.exchange(batch("put 1 3\nbtwo\nput 1 2 60\ncxx\ndelete 1\na\n"));
        harness.exchange(delete("b"));
        RawClient.Answer answer = harness.read("from=0");
        assertThat(answer.header("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        List<String> lines = answer.text().lines().toList();
        assertThat(lines.get(0))
                .isEqualTo("{\"version\":" + etag.replace("\"", "") + ",\"key\":\"" + base64("a") + "\",\"value\":\""
                        + base64("one") + "\"}");
        assertThat(lines.get(1)).isEqualTo("{\"version\":2,\"more\":true,\"key\":\"Yg==\",\"value\":\"dHdv\"}");
        assertThat(lines.get(2))
                .matches(
                        "\\{\"version\":3,\"more\":true,\"key\":\"Yw==\",\"expires\":\\d{13}," + "\"value\":\"eHg=\"}");
        assertThat(lines.get(3)).isEqualTo("{\"version\":4,\"key\":\"YQ==\",\"deleted\":true}");
        assertThat(lines.get(4)).isEqualTo("{\"version\":5,\"key\":\"Yg==\",\"deleted\":true}");
        assertThat(lines.get(5)).isEqualTo("{\"complete\":true,\"upto\":5}");
        assertThat(lines).hasSize(6);
        assertThat(harness.read("from=" + etag.replace("\"", "")).text())
                .doesNotStartWith(lines.get(0))
                .startsWith(lines.get(1));
    }

    @Test
    void eventsHaveTheirVersionAsId() throws Exception {
        harness.exchange(put("a", "one"));
        harness.exchange(put("b", "two"));
        harness.exchange(delete("b"));
        RawClient.Answer answer = harness.read("from=1&format=sse");
        assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(answer.text())
                .isEqualTo("id: 2\ndata: {\"version\":2,\"key\":\"Yg==\",\"value\":\"dHdv\"}\n\n"
                        + "id: 3\ndata: {\"version\":3,\"key\":\"Yg==\",\"deleted\":true}\n\n"
                        + "event: end\ndata: {\"complete\":true,\"upto\":3}\n\n");
        assertThat(harness.read("from=0", "Accept: text/event-stream", "Last-Event-ID: 1")
                        .text())
                .as("a browser goes on where it was")
                .isEqualTo(answer.text());
        assertThat(harness.read("from=1", "Accept: text/event-stream", "Last-Event-ID:")
                        .text())
                .as("an empty one is none")
                .isEqualTo(answer.text());
        assertThat(harness.read("from=0&format=ndjson", "Accept: text/event-stream")
                        .header("Content-Type"))
                .isEqualTo("application/x-ndjson");
    }

    @Test
    void whoWaitsIsToldOfTheNextWriteAndHoldsNoMemoryMeanwhile() throws Exception {
        harness.exchange(put("a", "one"));
        RawClient follower = harness.follow("from=now&wait=60");
        assertThat(line(follower)).isEqualTo("{\"upto\":1}\n");
        harness.exchange(put("b", "v".repeat(100_000)));
        assertThat(line(follower)).startsWith("{\"version\":2,\"key\":\"Yg==\",\"value\":\"dnZ2");
        await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        harness.exchange(delete("b"));
        assertThat(line(follower)).isEqualTo("{\"version\":3,\"key\":\"Yg==\",\"deleted\":true}\n");
        assertThat(harness.exchange(put("c", "others go on")).status()).isEqualTo(201);
    }

    @Test
    void anAnswerEndsWhenNothingComesForSoLongAndBeatsUntilThen() throws Exception {
        harness.exchange(put("a", "one"));
        long beganNanos = System.nanoTime();
        List<String> lines = harness.read("from=1&wait=1").text().lines().toList();
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(lines.getLast()).isEqualTo("{\"complete\":true,\"upto\":1}");
        assertThat(lines.subList(0, lines.size() - 1))
                .as("so that both ends know that the other one lives")
                .hasSizeGreaterThanOrEqualTo(2)
                .containsOnly("{\"upto\":1}");
    }

    /// It would last for three seconds.
    @Test
    void anAnswerEndsWhenItHasLastedAsLongAsItMay() throws Exception {
        try (ChangesHarness hasty = harness("hasty", o -> o.maxFollowLife = Duration.ofSeconds(1))) {
            hasty.exchange(put("a", "one"));
            long beganNanos = System.nanoTime();
            List<String> lines = hasty.read("from=0&wait=3").text().lines().toList();
            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(lines.getFirst()).startsWith("{\"version\":1,");
            assertThat(lines.getLast())
                    .isEqualTo("{\"complete\":false,\"upto\":1,\"reason\":\"an answer lasts 1 s at most:"
                            + " continue from the last version sent\"}");
            assertThat(hasty.read("from=1").text()).isEqualTo("{\"complete\":true,\"upto\":1}\n");
        }
        assertThat(NodeOptions.defaults().maxFollowLife()).as("docs/changes.md").isEqualTo(Duration.ofHours(1));
    }

    /// A client that waits for changes and has got its current version.
    private RawClient following() throws IOException {
        RawClient client = harness.follow("from=now&wait=3600");
        line(client);
        return client;
    }

    @Test
    void noMoreMayFollowThanTheBoundAndPlacesAreGivenBack() throws Exception {
        RawClient first = following();
        RawClient second = following();
        RawClient.Answer refused = harness.read("from=now&wait=60");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.text()).contains("--admission.followers");
        first.socket().setSoLinger(true, 0);
        first.close();
        await().until(() -> harness.read("from=now").status() == 200);
        assertThat(harness.read("from=now").status())
                .as("whose own place is free at its end")
                .isEqualTo(200);
    }

    /// The end of its input may mean that it still reads. Beats come each 15 seconds: two of them would be too late.
    @Test
    void whoClosesGivesItsPlaceBackSoonAndWhoOnlySendsNothingMoreGoesOn() throws Exception {
        RawClient first = following();
        RawClient second = following();
        first.close();
        second.socket().shutdownOutput();
        await().until(() -> harness.read("from=now").status() == 200);
        assertThat(line(second)).as("a beat at once").isEqualTo("{\"upto\":0}\n");
        harness.exchange(put("a", "one"));
        String told = line(second);
        for (int beats = 0; beats < 2 && told.equals("{\"upto\":0}\n"); beats++) {
            told = line(second);
        }
        assertThat(told).startsWith("{\"version\":1,");
    }

    @Test
    void aNodeThatEndsTellsItsFollowersWhereToGoOn() throws Exception {
        harness.exchange(put("a", "one"));
        RawClient follower = harness.follow("from=now&wait=3600");
        assertThat(line(follower)).isEqualTo("{\"upto\":1}\n");
        Thread drain = Thread.ofPlatform().start(harness.node::drain);
        assertThat(line(follower))
                .startsWith("{\"complete\":false,\"upto\":1,\"reason\":\"the node is ending: continue");
        assertThat(line(follower)).isEmpty();
        assertThat(follower.isClosed()).isTrue();
        drain.join();
        assertThat(harness.node.connections()).isZero();
    }

    @Test
    void aVersionThatNeverWasIsGone() throws Exception {
        RawClient.Answer answer = harness.read("from=17");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.text()).contains("urn:kvant:problem:gone").contains("read the range again");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() throws Exception {
        assertThat(harness.read("").text()).contains("bad-from");
        assertThat(harness.read("from=soon").text()).contains("bad-from");
        assertThat(harness.read("from=-1").text()).contains("bad-from");
        assertThat(harness.read("from=0", "Last-Event-ID: x").text()).contains("bad-from");
        assertThat(harness.read("from=0&wait=3601").text()).contains("bad-wait");
        assertThat(harness.read("from=0&wait=x").text()).contains("bad-wait");
        assertThat(harness.read("from=0&format=xml").text()).contains("bad-format");
        assertThat(harness.read("from=0&from=1").text()).contains("duplicate-parameter");
        assertThat(harness.exchange(changes("from=0").replace("GET", "PUT")).status())
                .isEqualTo(405);
    }

    /// Requests behind a follower on its connection wait for their turn, and are answered after it.
    @Test
    void theConnectionGoesOnBehindAnAnswer() throws Exception {
        RawClient client = harness.client().send(changes("from=0") + put("a", "1") + changes("from=0"));
        assertThat(client.read().text()).isEqualTo("{\"complete\":true,\"upto\":0}\n");
        assertThat(client.read().status()).isEqualTo(201);
        assertThat(client.read().text()).endsWith("{\"complete\":true,\"upto\":1}\n");
    }
}
