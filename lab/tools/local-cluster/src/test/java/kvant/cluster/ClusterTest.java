package kvant.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The records in a cluster's directory are believed, and foreign files and processes are left alone.
class ClusterTest {

    @TempDir
    private Path folder;

    private final Process stranger = sleep();

    @AfterEach
    void end() throws InterruptedException {
        stranger.destroyForcibly().waitFor();
    }

    @Test
    void aProcessOfTheSameNumberButAnotherStartIsNeverSignalled() throws IOException {
        Cluster cluster = recorded(stranger.pid() + " 1\n");
        assertThat(cluster.status().getFirst().state()).isEqualTo(NodeState.DOWN);
        assertThatThrownBy(() -> cluster.kill(1))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("down");
        assertThatThrownBy(() -> cluster.pause(1)).isInstanceOf(ClusterException.class);
        cluster.down(false);
        assertThat(stranger.isAlive()).isTrue();
    }

    @Test
    void aRecordedProcessIsPausedResumedAndKilled() throws Exception {
        RecordedProcess own = RecordedProcess.of(stranger.toHandle());
        Cluster cluster = recorded(own.pid() + " " + own.started() + "\n");
        assertThat(cluster.status().getFirst().pid()).isEqualTo(stranger.pid());
        cluster.pause(1);
        await().until(() -> cluster.status().getFirst().state() == NodeState.PAUSED);
        cluster.resume(1);
        await().until(() -> cluster.status().getFirst().state() != NodeState.PAUSED);
        cluster.kill(1);
        assertThat(stranger.waitFor()).isEqualTo(128 + 9);
        assertThat(cluster.status().getFirst().state()).isEqualTo(NodeState.DOWN);
    }

    @Test
    void onlyADirectoryOfAClusterIsDeleted() throws IOException {
        Files.writeString(folder.resolve("precious"), "x");
        Cluster none = new Cluster(folder);
        assertThatThrownBy(() -> none.down(true))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("no cluster in " + folder);
        assertThat(folder.resolve("precious")).exists();

        Cluster cluster = recorded("");
        cluster.down(true);
        assertThat(folder.resolve("c")).doesNotExist();
        assertThat(folder.resolve("precious")).exists();
    }

    @Test
    void aDirectoryWithSomethingElseIsRefused() throws IOException {
        Files.writeString(folder.resolve("precious"), "x");
        assertThatThrownBy(() -> new Cluster(folder).up(1, null, Duration.ofSeconds(1), _ -> {}))
                .isInstanceOf(ClusterException.class);
        assertThat(folder).isDirectoryNotContaining("glob:**kvant-cluster");
    }

    @Test
    void aNodeThatIsNotThereIsNamed() throws IOException {
        Cluster cluster = recorded("");
        assertThatThrownBy(() -> cluster.kill(2))
                .hasMessageContaining("no node 2")
                .hasMessageContaining("1 to 1");
        assertThatThrownBy(() -> cluster.kill(0)).hasMessageContaining("no node 0");
    }

    private Cluster recorded(String pid) throws IOException {
        Path directory = Files.createDirectories(folder.resolve("c"));
        Files.writeString(directory.resolve("kvant-cluster"), "nodes=1\n");
        Files.createDirectories(directory.resolve("node1"));
        Files.writeString(directory.resolve("node1/pid"), pid);
        return new Cluster(directory);
    }

    private static Process sleep() {
        try {
            return new ProcessBuilder("sleep", "60").start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
