package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.ProcessFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ServedProcessTest {

    @TempDir
    private Path folder;

    @Test
    void settingsThatSomebodyHasForNodesOfHisOwnReachNoServerThatIsMeasured() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", "/bin", "KVANT_EXECUTOR", "sync", "KVANT_CONFIG", "mine.yaml", "KVANT_JAVA_HOME", "/jdk"));

        ServedProcess.leaveOutSettings(environment);

        assertThat(environment).containsOnlyKeys("PATH", "KVANT_JAVA_HOME");
    }

    private ServedProcess started(String script) {
        return ServedProcess.start(new Launch(
                List.of("sh", "-c", script),
                folder,
                Map.of(),
                "http://127.0.0.1:1",
                "/",
                Duration.ofSeconds(10),
                folder.resolve("log"),
                folder.resolve("node.jfr"),
                folder.resolve("gc.log")));
    }

    private String written(String name) throws IOException, InterruptedException {
        Path file = folder.resolve(name);
        while (!Files.exists(file) || !Files.readString(file).endsWith("\n")) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return Files.readString(file).strip();
    }

    /// As a script does that starts a server in the background, or a daemon.
    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void whatACommandStartedAndLeftIsEndedToo() throws Exception {
        ServedProcess served = started("sleep 600 & echo $! >child; while [ ! -e go ]; do sleep 0.01; done");
        ProcessHandle child = ProcessHandle.of(Long.parseLong(written("child"))).orElseThrow();
        assertThat(served.isGone()).isFalse();

        Files.createFile(folder.resolve("go"));
        while (ProcessFamily.isRunning(served.handle())) { // its exit code may be asked for late
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(served.isGone()).isFalse();

        served.close();
        assertThat(served.isGone()).isTrue();
        assertThat(ProcessFamily.isRunning(child)).isFalse();
    }

    /// A shell ends at once, and a JVM needs a moment to write its recording down.
    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void aServerBehindAShellIsAskedToEndAndHasTheTimeToDoSo() throws Exception {
        ServedProcess served = started("(trap 'sleep 0.2; echo saved >end; exit 0' TERM; echo ready >child;"
                + " while :; do sleep 0.02; done) & wait; true");
        assertThat(written("child")).isEqualTo("ready");

        assertThat(served.stop()).isTrue();
        assertThat(folder.resolve("end")).hasContent("saved");
    }

    /// The server says something when it is asked to end, and the shell, whose output it has, is gone by then.
    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void whatAServerSaysAfterTheShellThatStartedItHasEndedIsKept() throws Exception {
        ServedProcess served = started("(trap 'echo last; echo words; echo saved >end; exit 0' TERM; echo ready >child;"
                + " while :; do sleep 0.02; done) & while [ ! -e go ]; do sleep 0.01; done");
        assertThat(written("child")).isEqualTo("ready");
        assertThat(served.isGone()).isFalse();
        Files.createFile(folder.resolve("go"));
        while (served.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }

        assertThat(served.stop()).isTrue();
        assertThat(folder.resolve("end")).hasContent("saved");
        assertThat(served.lastWords()).isEqualTo("words");
        assertThat(served.log()).content().contains("last\nwords\n");
    }
}
