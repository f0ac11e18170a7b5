package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.process.AwakeProcessors;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.load.record.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Processors that do not sleep while a run lasts, where the machine lets it.
@EnabledOnOs(OS.LINUX)
class AwakeRunTest extends LabRunFixture {

    private static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

    private static boolean isHeld() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.anyMatch(AwakeRunTest::isDevice);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isDevice(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(DEVICE);
        } catch (IOException _) {
            return false; // it has just been closed
        }
    }

    private int windowsHeld(Experiment experiment) throws IOException {
        AtomicInteger held = new AtomicInteger();
        RunListener listener = new RunListener() {
            @Override
            public void measured(Window window, double seconds, double ofSeconds) {
                held.addAndGet(isHeld() ? 1 : 0);
            }
        };
        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, listener, stop);
        return held.get();
    }

    private static boolean mayHold() {
        try {
            AwakeProcessors.hold().close();
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private List<Remark> warnings() {
        return RunRecord.read(folder.resolve("out")).warnings();
    }

    @Test
    void theyAreKeptAwakeWhileTheRunLastsAndTheReportSaysWhetherThatWasSo() throws IOException {
        Experiment experiment = experiment("  - {name: a}\n", "awake: true\n");
        boolean mayHold = mayHold();

        int windows = windowsHeld(experiment);

        if (mayHold) {
            assertThat(windows).isPositive();
            assertThat(warnings()).contains(new Remark.ProcessorsKeptAwake());
        } else {
            assertThat(windows).isZero();
            assertThat(warnings()).hasAtLeastOneElementOfType(Remark.ProcessorsMaySleep.class);
        }
        assertThat(isHeld()).isFalse();
        assertThat(LabRun.experimentOf(folder.resolve("out")).awake()).isTrue();
    }

    @Test
    void nobodyKeepsThemAwakeUnasked() throws IOException {
        assertThat(windowsHeld(experiment("  - {name: a}\n", ""))).isZero();
        assertThat(warnings())
                .doesNotHaveAnyElementsOfTypes(Remark.ProcessorsKeptAwake.class, Remark.ProcessorsMaySleep.class);
    }
}
