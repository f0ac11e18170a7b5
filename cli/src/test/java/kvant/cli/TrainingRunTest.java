package kvant.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.text.child.QuickJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrainingRunTest {

    @Test
    void loadsAServingNodeAndTheCommandsThatAskItAndEndsAtASignal(@TempDir Path folder) throws Exception {
        Path loaded = folder.resolve("loaded");
        List<String> words = new ArrayList<>(QuickJvm.words());
        words.add("-Xlog:class+load:file=" + loaded);
        words.addAll(ChildClasses.options());
        words.addAll(List.of(TrainingRun.class.getName(), folder.resolve("data").toString()));
        Process run = new ProcessBuilder(words).start();
        try (BufferedReader out = run.inputReader(UTF_8);
                BufferedReader err = run.errorReader(UTF_8)) {
            assertThat(out.readLine()).as("the value of its key").isEqualTo("value");
            assertThat(out.readLine()).isEqualTo("trained");
            run.toHandle().destroy();
            assertThat(run.waitFor()).isZero();
            assertThat(err.lines()).isEmpty();
        } finally {
            run.destroyForcibly();
        }
        assertThat(loaded)
                .content()
                .contains("kvant.lsm.LsmEngine ", "kvant.cli.node.KeyCommands$Delete ", "kvant.client.KvantClient ");
    }
}
