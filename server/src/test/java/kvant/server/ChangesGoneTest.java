package kvant.server;

import static kvant.server.ChangesHarness.changes;
import static kvant.server.ChangesHarness.line;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import kvant.lsm.LsmOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that keeps no log longer than it has to.
@NullUnmarked
class ChangesGoneTest {

    private static final int VALUE_BYTES = 400_000;

    @TempDir
    Path directory;

    private ChangesHarness harness;

    @BeforeEach
    void start() {
        LsmOptions store = LsmOptions.defaults().with(o -> {
            o.memtableBytes = 1 << 10;
            o.headroomBytes = 0;
        });
        harness = new ChangesHarness(directory.resolve("data"), store, options -> options);
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void whatIsNoLongerHeldIs410() throws Exception {
        for (int i = 0; i < 5; i++) {
            harness.exchange(put("a", "v".repeat(VALUE_BYTES)));
        }
        harness.engine.awaitRest();
        RawClient.Answer answer = harness.read("from=0");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.text()).contains("urn:kvant:problem:gone").contains("--changes-retain");
        assertThat(harness.read("from=5").text()).isEqualTo("{\"complete\":true,\"upto\":5}\n");
    }

    /// A follower that falls behind gets the changes that it takes, holds neither files nor the node back, and at the
    /// end learns that it is too late.
    @Test
    void aSlowReaderIsToldWhereItWasLeftBehind() throws Exception {
        RawClient slow = harness.client(4096).send(changes("from=now&wait=60"));
        assertThat(slow.readHead()).startsWith("HTTP/1.1 200");
        assertThat(line(slow)).isEqualTo("{\"upto\":0}\n");
        int writes = 20;
        for (int i = 0; i < writes; i++) {
            assertThat(harness.exchange(put("a", "v".repeat(VALUE_BYTES))).status())
                    .isEqualTo(201);
        }
        harness.engine.awaitRest();
        int told = 0;
        String line = line(slow);
        while (line.startsWith("{\"version\":" + (told + 1) + ",")) {
            told++;
            line = line(slow);
        }
        assertThat(told).isLessThan(writes);
        assertThat(line).startsWith("{\"complete\":false,\"upto\":" + told + ",\"gone\":true,\"reason\":");
        ApiSchema api = new ApiSchema();
        assertThat(api.kinds(api.ofItems("/v0/changes", "application/x-ndjson"), line))
                .containsExactly("ChangesIncomplete");
        assertThat(line(slow)).isEmpty();
        await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
    }

    @Test
    void anEngineThatCannotTellSaysSo() throws Exception {
        try (NodeHarness other = new NodeHarness(options -> options)) {
            RawClient.Answer answer = other.client().exchange(changes("from=0"));
            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.text()).contains("unsupported").contains("--engine lsm");
        }
    }
}
