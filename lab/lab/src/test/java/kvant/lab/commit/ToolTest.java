package kvant.lab.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.lab.commit.CommitTrees.Tool;
import kvant.load.loop.StopSwitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTest {

    @TempDir
    private Path folder;

    private Tool.Ended run(String script) {
        return new Tool(folder.resolve("output"), new StopSwitch())
                .run(Duration.ofMinutes(1), folder, List.of("sh", "-c", script));
    }

    /// The subject of a commit from before UTF-8, or a compiler's words in an odd locale.
    @Test
    void outputThatIsNotUtf8IsRead() {
        Tool.Ended ended = run("printf 'caf\\351\\n'");

        assertThat(ended.code()).isZero();
        assertThat(ended.lastLine()).isEqualTo("caf\ufffd");
    }

    @Test
    void ofMuchOutputTheEndIsRead() {
        Tool.Ended ended = run("yes 'a line' | head -c 2000000; echo; echo 'kvant: the last'");

        assertThat(ended.output()).hasSizeBetween(1 << 13, 1 << 14);
        assertThat(ended.lastLine()).isEqualTo("kvant: the last");
    }
}
