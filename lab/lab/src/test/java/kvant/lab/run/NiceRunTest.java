package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Step;
import kvant.load.record.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Servers that give way to the generator.
@EnabledOnOs(OS.LINUX)
class NiceRunTest extends LabRunFixture {

    /// Fields of a line of `/proc/PID/stat`, behind the name of the program.
    private static final int NICE = 16;

    private static final int POLICY = 38;
    private static final int SCHED_IDLE = 5;

    private final List<Integer> seen = new ArrayList<>();

    private static int field(long pid, int field) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[field]);
        } catch (IOException e) {
            return -1; // it has just ended
        }
    }

    private RunListener looking(int field) {
        return new RunListener() {
            @Override
            public void measured(Window window, double seconds, double ofSeconds) {
                ProcessHandle.current().children().forEach(child -> seen.add(field(child.pid(), field)));
            }
        };
    }

    @Test
    void aServerIsStartedWithItAndTheReportHasTheCommand() throws IOException {
        Experiment experiment = experiment("  - {name: a}\n", "nice: 7\n");
        assertThat(experiment.plan()).extracting(Step::id).containsExactly("01-a-put");

        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, looking(NICE), stop);

        int own = field(ProcessHandle.current().pid(), NICE);
        assertThat(seen).isNotEmpty().allMatch(one -> one == Math.min(19, own + 7));
        Map<?, ?> variant = (Map<?, ?>) ((List<?>) json("run.json").get("variants")).getFirst();
        assertThat(variant.get("command").toString()).startsWith("[nice, -n, 7, kvant, serve");
        assertThat(LabRun.experimentOf(folder.resolve("out")).nice()).isEqualTo(new Niceness(7));
    }

    @Test
    void aServerMayHaveWhatTheGeneratorLeavesAlone() throws IOException {
        Experiment experiment = experiment("  - {name: a}\n", "nice: idle\n");

        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, looking(POLICY), stop);

        assertThat(seen).isNotEmpty().allMatch(one -> one == SCHED_IDLE || one == -1);
        Map<?, ?> variant = (Map<?, ?>) ((List<?>) json("run.json").get("variants")).getFirst();
        assertThat(variant.get("command").toString()).startsWith("[chrt, -i, 0, kvant, serve");
        assertThat(LabRun.experimentOf(folder.resolve("out")).nice()).isEqualTo(Niceness.IDLE);
    }
}
