package kvant.load.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A machine of two processors whose files a test writes.
class HostWatchTest {

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private long now;
    private long own;

    @BeforeEach
    void aQuietMachine() throws IOException {
        cpu(1000, 0);
        write("proc/loadavg", "3.25 1.00 0.50 2/300 4711");
        pressure("cpu", 0);
        pressure("io", 0);
        pressure("memory", 0);
        write("proc/self/cgroup", "0::/kvant.slice\n");
        write("sys/fs/cgroup/kvant.slice/cpu.max", "150000 100000");
        write("sys/fs/cgroup/kvant.slice/memory.max", "max");
        throttled(0);
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.resolveSibling("."));
        Files.writeString(path, text);
    }

    /// In hundredths of a second.
    private void cpu(long busy, long stolen) throws IOException {
        write(
                "proc/stat",
                "cpu  " + (busy - 40) + " 10 10 5000 77 10 10 " + stolen + " 3 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n"
                        + "cpu1 1 2 3 4 5 6 7 8 9 0\nintr 5\n");
    }

    private void pressure(String resource, long micros) throws IOException {
        write(
                "proc/pressure/" + resource,
                "some avg10=1.00 avg60=2.00 avg300=3.00 total=" + micros
                        + "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
    }

    private void throttled(long micros) throws IOException {
        write("sys/fs/cgroup/kvant.slice/cpu.stat", "usage_usec 99\nnr_throttled 4\nthrottled_usec " + micros + "\n");
    }

    /// The processor time of this process in code of its own, in hundredths of a second.
    private void ownUser(long own, long ofEndedChildren) throws IOException {
        write(
                "proc/self/stat",
                "4711 (a name) with) R 1 2 3 4 5 6 7 8 9 10 " + own + " 12 " + ofEndedChildren + " 14 15 16\n");
    }

    private HostWatch watch() {
        return new HostWatch(new HostFiles(folder.resolve("proc"), folder.resolve("sys")), () -> now, () -> own);
    }

    @Test
    void whatTheMachineDidIsTold() throws IOException {
        HostWatch watch = watch();
        now += 5 * SECOND;
        cpu(1500, 300);
        watch.begin();
        now += SECOND;
        cpu(1650, 304);
        own += SECOND / 2;
        pressure("cpu", 250_000);
        pressure("io", 125_000);
        throttled(20_000);

        assertThat(watch.look()).isEqualTo(40_000_000);
        HostFacts facts = watch.facts();
        assertThat(facts.processors()).isEqualTo(2);
        assertThat(facts.busyProcessors()).isCloseTo(1.5, within(1e-9));
        assertThat(facts.ownProcessors()).isCloseTo(0.5, within(1e-9));
        assertThat(facts.otherProcessors()).isCloseTo(1, within(1e-9));
        assertThat(facts.stolenShare()).isCloseTo(0.02, within(1e-9));
        assertThat(facts.throttledShare()).isCloseTo(0.02, within(1e-9));
        assertThat(facts.waitedForCpu()).isCloseTo(0.25, within(1e-9));
        assertThat(facts.waitedForIo()).isCloseTo(0.125, within(1e-9));
        assertThat(facts.waitedForMemory()).isZero();
        assertThat(facts.processorsAllowed()).isEqualTo(1.5);
        assertThat(facts.memoryAllowedBytes()).isNaN();
        assertThat(facts.governor()).isEqualTo("powersave");
        assertThat(facts.loadBefore()).isEqualTo(3.25);
        assertThat(facts.looks()).isEqualTo(1);
        assertThat(facts.disturbed()).as("2 % is below the rule").isZero();
    }

    /// The system's time for a process is in no share, so that it does not look like another program's.
    @Test
    void whatOtherProgramsDidIsWhatNeitherThisOneNorTheServerDid() throws IOException {
        ownUser(500, 20);
        HostWatch watch = watch();
        watch.begin();
        now += SECOND;
        write("proc/stat", "cpu  1100 20 60 5000 77 10 40 0 3 0\ncpu0 1 2 3 4 5 6 7 8 9 0\ncpu1 1 2 3 4 5 6 7 8 9 0\n");
        ownUser(530, 40);
        watch.look();
        HostFacts facts = watch.facts();

        assertThat(facts.userProcessors()).isCloseTo(1.5, within(1e-9));
        assertThat(facts.ownUserProcessors()).isCloseTo(0.5, within(1e-9));
        assertThat(facts.foreignShare(0.4)).isCloseTo(0.3, within(1e-9));
        assertThat(facts.foreignShare(1.2)).isZero();
        assertThat(facts.foreignShare(Double.NaN)).isNaN();
    }

    /// A machine that works half of the time is stolen from half as long.
    @Test
    void whatIsStolenIsAShareOfTheTimeThatWasWanted() throws IOException {
        HostWatch watch = watch();
        watch.begin();
        now += SECOND;
        cpu(1000 + 90, 10); // of 200
        watch.look();

        assertThat(watch.facts().stolenShare()).isCloseTo(0.05, within(1e-9));
        assertThat(watch.facts().stolenOfWanted()).isCloseTo(0.1, within(1e-9));
        assertThat(HostFacts.UNKNOWN.stolenOfWanted()).isNaN();
    }

    @Test
    void aWindowOfWhichTooMuchIsStolenOrThrottledIsDisturbed() throws IOException {
        HostWatch watch = watch();
        watch.begin();
        now += SECOND;
        cpu(1000, 11); // of 200
        watch.look();
        now += SECOND;
        cpu(1000, 20);
        watch.look();
        now += SECOND;
        throttled(60_000);
        watch.look();

        assertThat(watch.facts().looks()).isEqualTo(3);
        assertThat(watch.facts().disturbed()).isEqualTo(2);
    }

    @Test
    void shortWindowsShareALook() throws IOException {
        HostWatch watch = watch();
        watch.begin();
        cpu(1000, 30);
        now += TimeUnit.MILLISECONDS.toNanos(100);
        assertThat(watch.look()).isZero();
        now += TimeUnit.MILLISECONDS.toNanos(100);
        assertThat(watch.look()).isEqualTo(300_000_000);
        assertThat(watch.facts().looks()).isEqualTo(1);
    }

    @Test
    void aSystemThatSaysNothingIsNotKnown() throws IOException {
        HostWatch watch =
                new HostWatch(new HostFiles(folder.resolve("none"), folder.resolve("no")), () -> now, () -> 0);
        now += SECOND;

        assertThat(watch.look()).isZero();
        assertThat(watch.facts().isKnown()).isFalse();
        assertThat(watch.facts().disturbed()).isZero();
        assertThat(BusyHost.warning(watch.facts())).isEmpty();
    }

    @Test
    void aMachineThatIsBusyBeforeTheRunIsSaidToBe() throws IOException {
        HostWatch watch = watch();
        now += SECOND;
        cpu(1000 + 120, 20);
        own += SECOND / 10;
        watch.look();
        assertThat(BusyHost.warning(watch.facts()))
                .isEqualTo("this machine is busy before the run begins: other processes use 1.1 of 2 processors, and"
                        + " 10 % of the time is stolen by its host; figures may be disturbed");
    }

    @Test
    void whatThisProcessUsesItselfIsNoWarning() throws IOException {
        HostWatch watch = watch();
        now += SECOND;
        cpu(1000 + 120, 0);
        own += SECOND;
        watch.look();
        assertThat(BusyHost.warning(watch.facts())).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineSaysWhatItDoes() {
        HostWatch watch = HostWatch.ofThisMachine();
        long end = System.nanoTime() + 2 * HostWatch.SHORTEST_LOOK_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        watch.look();

        assertThat(watch.facts().isKnown()).isTrue();
        assertThat(watch.facts().busyProcessors()).isPositive();
        assertThat(watch.facts().ownUserProcessors()).isPositive();
        assertThat(UserTime.ofProcess(ProcessHandle.current().pid())).isPositive();
        assertThat(UserTime.ofProcess(-1)).isNaN();
        assertThat(watch.facts().looks()).isEqualTo(1);
    }
}
