package kvant.prove.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.lab.run.ServedNode;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pausing, resuming and killing the process of a node.
class NodeTest {

    private static final Key KEY = Key.of("k");

    @TempDir
    Path folder;

    @BeforeAll
    static void quickNodes() {
        QuickNodes.use("-Xmx256m", "-XX:+UseSerialGC");
    }

    @Test
    void aKilledNodeIsGoneAndAStoppedOneStandsStillUntilItGoesOn() throws Exception {
        try (Stage stage = new Stage(folder, 1, Duration.ZERO, 1, _ -> {})) {
            Path data = folder.resolve("data");
            ServedNode node = ServedNode.start(stage, data, Stage.node("--durability", "always"));
            KvantClient client = KvantClient.of(node.uri());
            client.put(KEY, new byte[] {1});

            node.pause();
            assertThatThrownBy(() -> client.within(Duration.ofMillis(300)).get(KEY))
                    .isInstanceOf(KvantException.DeadlinePassed.class);
            node.resume();
            assertThat(client.get(KEY)).isPresent();

            node.kill();
            assertThat(ProcessHandle.of(node.pid())).isEmpty();
            assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(KvantException.Unavailable.class);
            ServedNode again = ServedNode.start(stage, data, Stage.node());
            assertThat(KvantClient.of(again.uri()).get(KEY)).isPresent();
            again.close();
            assertThat(ProcessHandle.of(again.pid())).isEmpty();
        }
    }

    @Test
    void aStageEndsWhatItKeepsTheLatestFirstAndCountsTrips() throws Exception {
        List<String> ended = new ArrayList<>();
        try (Stage stage = new Stage(folder, 1, Duration.ofHours(1), 2, _ -> {})) {
            stage.keep(() -> ended.add("first"));
            stage.keep(() -> ended.add("second"));
            AutoCloseable dropped = stage.keep(() -> ended.add("dropped"));
            stage.drop(dropped);
            assertThat(stage.next()).isTrue();
            assertThat(stage.next()).isTrue();
            assertThat(stage.next()).isFalse();
            assertThat(stage.trip()).isEqualTo(2);
        }
        assertThat(ended).containsExactly("dropped", "second", "first");
    }
}
