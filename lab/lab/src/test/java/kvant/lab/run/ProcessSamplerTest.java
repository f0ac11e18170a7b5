package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.ProcessSampler;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.load.host.HostFacts;
import kvant.load.http.Target;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.SlowestRequests;
import kvant.load.record.Window;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The processor time of a served process and its children.
class ProcessSamplerTest {

    private static final long SECOND = 1_000_000_000L;

    /// A process that has the system work for it, with a child that computes.
    private static final List<String> BOTH =
            List.of("sh", "-c", "while :; do :; done & exec dd if=/dev/zero of=/dev/null bs=4M 2>/dev/null");

    private static final Window WINDOW = new Window(SECOND, SECOND, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0);

    private static ProcessSampler.Sample sample(double second, double cpuSeconds, double userSeconds) {
        return new ProcessSampler.Sample(
                (long) (second * SECOND), (long) (cpuSeconds * SECOND), userSeconds * SECOND, 1 << 20, 0, 0);
    }

    /// Of ten seconds that were planned.
    private static RunResult load(double elapsedSeconds, int answered) {
        RequestCounts counts = new RequestCounts();
        for (int i = 0; i < answered; i++) {
            counts.add(Count.SENT, 1);
            counts.answered(200);
        }
        Pace pace = Pace.open(1000, Duration.ofSeconds(10));
        return new RunResult(
                LoadPlan.of(Target.parse("http://127.0.0.1:8080"), Workload.named("put"), Clients.defaults(), pace),
                Instant.EPOCH,
                (long) (elapsedSeconds * SECOND),
                (long) (elapsedSeconds * SECOND),
                new RunResult.WarmupResult(0, true, new RequestCounts()),
                counts,
                new PhaseTotals(),
                SlowestRequests.NONE,
                0,
                0,
                0,
                0,
                0,
                0.1,
                SECOND,
                answered,
                "",
                "",
                "",
                HostFacts.UNKNOWN);
    }

    /// The machine is looked at for ten seconds. Over twenty the server would seem to work half as much, and the rest
    /// of that would be other processes.
    @Test
    void aLastAnswerThatIsLateMakesTheServerNoIdler() {
        List<ProcessSampler.Sample> samples = List.of(sample(5, 2, 1), sample(15, 10, 7), sample(25, 10.5, 7.25));

        ProcessFigures figures = ProcessSampler.figures(samples, 7, 5 * SECOND, load(20, 1000));
        assertThat(figures.userProcessors()).isCloseTo(0.6, within(1e-9));
        assertThat(figures.cpuNanos()).as("of all requests").isEqualTo((long) (8.5 * SECOND));
    }

    @Test
    void aLoadThatWasStoppedIsHeldAgainstItsOwnTime() {
        List<ProcessSampler.Sample> samples = List.of(sample(5, 2, 1), sample(9, 6, 4));

        assertThat(ProcessSampler.figures(samples, 7, 5 * SECOND, load(4, 1000)).userProcessors())
                .isCloseTo(0.75, within(1e-9));
    }

    /// The server is another process, and its processor time is unknown.
    @Test
    void aCommandThatHardlyWorksIsNotTheServer() {
        List<ProcessSampler.Sample> samples = List.of(sample(0, 0, 0), sample(10, 0.0019, 0.001));

        assertThat(ProcessSampler.figures(samples, 7, 0, load(10, 10_000)).userProcessors())
                .isNaN();
        assertThat(ProcessSampler.figures(samples, 7, 0, load(10, 9000)).userProcessors())
                .isCloseTo(0.0001, within(1e-9));
    }

    @Test
    void theProcessIsLookedAtWhenTheMeasuredTimeEnds() {
        try (ProcessSampler sampler = ProcessSampler.start(ProcessHandle.current());
                LiveServer.Measuring progress = new LiveServer.Measuring(Progress.SILENT, sampler, () -> null)) {
            long before = System.nanoTime();
            progress.measured(WINDOW, 2, 2);

            assertThat(sampler.samples().getLast().nanos()).isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void codeOfChildrenCountsAndWhatTheSystemDoesForThemDoesNot() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(BOTH).start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
            double user = 0;
            double system = 0;
            while ((user < 0.3 * SECOND || system < 0.3 * SECOND) && System.nanoTime() < end) {
                ProcessSampler.Sample now = ProcessSampler.look(process.toHandle());
                user = now.userNanos();
                system = now.cpuNanos() - user;
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(user).isGreaterThanOrEqualTo(0.3 * SECOND);
            assertThat(system).isGreaterThanOrEqualTo(0.3 * SECOND);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }
}
