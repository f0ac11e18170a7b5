package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.load.record.Window;
import kvant.load.truth.Scheduling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A generator that sends before whatever else wants a processor, where the machine lets it.
@EnabledOnOs(OS.LINUX)
class RealtimeRunTest extends LabRunFixture {

    private static final Path THREADS = Path.of("/proc/self/task");

    /// Of the threads of a generator.
    private static Set<Integer> policies() {
        Set<Integer> policies = new HashSet<>();
        try (Stream<Path> threads = Files.list(THREADS)) {
            for (Path thread : threads.toList()) {
                String stat = stat(thread);
                if (stat.contains("(kvant-load-")) {
                    policies.add(Scheduling.policyIn(stat));
                }
            }
            return policies;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException _) {
            return ""; // it has just ended
        }
    }

    private Set<Integer> policiesWhile(Experiment experiment) throws IOException {
        Set<Integer> seen = new HashSet<>();
        RunListener listener = new RunListener() {
            @Override
            public void measured(Window window, double seconds, double ofSeconds) {
                seen.addAll(policies());
            }
        };
        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, listener, stop);
        return seen;
    }

    private List<Remark> warnings() {
        return RunRecord.read(folder.resolve("out")).warnings();
    }

    @Test
    void itSendsBeforeAllOthersAndTheReportSaysWhetherThatWasSo() throws IOException {
        boolean may = Scheduling.mayBeFifo();

        Set<Integer> policies = policiesWhile(experiment("  - {name: a}\n", "realtime: true\n"));

        assertThat(policies).containsExactly(may ? Scheduling.FIFO : Scheduling.ORDINARY);
        assertThat(warnings()).hasAtLeastOneElementOfType(may ? Remark.SendsInRealtime.class : Remark.NoRealtime.class);
        assertThat(LabRun.experimentOf(folder.resolve("out")).realtime()).isTrue();
    }

    @Test
    void nobodyDoesSoUnasked() throws IOException {
        assertThat(policiesWhile(experiment("  - {name: a}\n", ""))).containsExactly(Scheduling.ORDINARY);
        assertThat(warnings()).doesNotHaveAnyElementsOfTypes(Remark.SendsInRealtime.class, Remark.NoRealtime.class);
    }
}
