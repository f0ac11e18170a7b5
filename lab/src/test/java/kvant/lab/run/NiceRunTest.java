package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;
import kvant.load.record.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Servers that give way to the generator.
@EnabledOnOs(OS.LINUX)
class NiceRunTest extends LabRunFixture {

    /// Of a line of `/proc/PID/stat`, behind the name of the program.
    private static final int NICE = 16;

    private final List<Integer> seen = new ArrayList<>();

    private static int niceness(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE]);
        } catch (IOException e) {
            return -1; // it has just ended
        }
    }

    private final RunListener looking = new RunListener() {
        @Override
        public void measured(Window window, double seconds, double ofSeconds) {
            ProcessHandle.current().children().forEach(child -> seen.add(niceness(child.pid())));
        }
    };

    @Test
    void aServerIsStartedWithItAndTheReportHasTheCommand() throws IOException {
        Experiment experiment = experiment("  - {name: a}\n", "nice: 7\n");
        assertThat(experiment.plan()).extracting(Step::id).containsExactly("01-a-put");

        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, looking, stop);

        int own = niceness(ProcessHandle.current().pid());
        assertThat(seen).isNotEmpty().allMatch(one -> one == Math.min(19, own + 7));
        Map<?, ?> variant = (Map<?, ?>) ((List<?>) json("run.json").get("variants")).getFirst();
        assertThat(variant.get("command").toString()).startsWith("[nice, -n, 7, kvant, serve");
        assertThat(LabRun.experimentOf(folder.resolve("out")).nice()).isEqualTo(7);
    }
}
