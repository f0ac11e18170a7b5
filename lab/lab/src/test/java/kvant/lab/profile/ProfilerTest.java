package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.profile.Profiler.Recording;
import kvant.lab.profile.SlowWindows.SlowWindow;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Event;
import kvant.lab.result.ProfileRecord.Frame;
import kvant.lab.result.ProfileRecord.Slow;
import kvant.lab.result.ProfileRecord.ThreadShare;
import kvant.lab.result.Remark;
import kvant.text.UserException;
import one.convert.Arguments;
import one.convert.FlameGraph;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A real process, profiled once with everything; what its methods are called is what the profile has
/// to say.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no profiler for Windows")
class ProfilerTest {

    @TempDir
    private static Path folder;

    private static BurningProcess burning;
    private static List<SlowWindow> slowRequests;
    private static ProfileRecord result;

    @BeforeAll
    static void profile() throws Exception {
        burning = BurningProcess.start();
        Recording recording = Profiler.attach(burning.pid())
                .start(
                        ProfilePlan.of(EnumSet.allOf(ProfileEvent.class))
                                .withThreads(true)
                                .withSlowThreshold(Duration.ofNanos(Burning.SLOW_NANOS * 3 / 4)),
                        folder);
        slowRequests = burning.slowRequests(8);
        result = recording.stop();
    }

    @AfterAll
    static void end() throws IOException {
        burning.close();
    }

    @ParameterizedTest
    @CsvSource({"CPU,burnProcessor", "ALLOC,burnMemory", "LOCK,burnLock", "WALL,burnProcessor"})
    void eachFlameGraphNamesTheMethodThatBurns(ProfileEvent event, String method) throws IOException {
        Path html = folder.resolve(event.label() + ".html");
        Path collapsed = folder.resolve(event.label() + ".collapsed");

        assertThat(stacksOf(html)).contains("kvant/lab/profile/Burning." + method);
        assertThat(collapsed).content().contains("kvant/lab/profile/Burning." + method);
        assertThat(html).content().contains("process " + burning.pid()).doesNotContain("src=", "@import");
        assertThat(Files.size(html)).isLessThan(500_000);
    }

    /// The pictures hold their names in pieces; the library that drew them reads them back.
    private static String stacksOf(Path html) throws IOException {
        ByteArrayOutputStream stacks = new ByteArrayOutputStream();
        FlameGraph.parse(html.toString(), new Arguments("--output", "collapsed"))
                .dump(stacks);
        return stacks.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(ProfileEvent.class)
    void eachEventHasItsFigures(ProfileEvent event) {
        Event profile = profile(result, event);

        assertThat(profile.samples()).isPositive();
        assertThat(profile.engine()).isNotEmpty().isNotEqualTo("unknown");
        assertThat(profile.top()).isNotEmpty().allMatch(frame -> frame.self() <= frame.total() && frame.total() <= 1);
        assertThat(profile.threads().stream().mapToDouble(ThreadShare::share).sum())
                .isBetween(0.9, 1.001);
    }

    private static Event profile(ProfileRecord result, ProfileEvent event) {
        return result.events().stream()
                .filter(profile -> profile.event().equals(event.label()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theThreadThatBurnsHasTheLargestShare() throws IOException {
        assertThat(profile(result, ProfileEvent.CPU).threads().getFirst().name())
                .isEqualTo("burner");
        assertThat(folder.resolve("cpu.collapsed")).content().contains("[burner tid=");
    }

    @Test
    void samplesOfAllocationWeighBytesAndThoseOfLocksNanoseconds() throws IOException {
        // 20 MB, and three locks that are held for 5 ms, between two slow requests
        assertThat(FrameShares.read(folder.resolve("alloc.collapsed")).total()).isBetween(50_000_000L, 2_000_000_000L);
        assertThat(FrameShares.read(folder.resolve("lock.collapsed")).total())
                .isBetween(10_000_000L, result.durationNanos());
        assertThat(profile(result, ProfileEvent.ALLOC).top().getFirst().frame()).isEqualTo("byte[]");
    }

    @Test
    void profileJsonSaysTheSame() {
        assertThat(folder.resolve("profile.json"))
                .content()
                .contains(
                        "\"event\": \"cpu\"",
                        "\"engine\": \"" + profile(result, ProfileEvent.CPU).engine() + "\"",
                        "\"html\": \"wall.html\"",
                        "\"collapsed\": \"lock.collapsed\"",
                        "\"missing\": []",
                        "\"unit\": \"bytes\"",
                        "\"slow\": {");
        assertThat(result.profiler()).matches("async-profiler \\d+\\.\\d+.*");
    }

    @Test
    void theLibraryIsGone() {
        assertThat(Path.of(System.getProperty("java.io.tmpdir"), "kvant-profiler-" + burning.pid()))
                .doesNotExist();
    }

    @Test
    void requestsOfWhichTheNodeToldGetAFlameGraphOfTheirThreads() throws IOException {
        Slow slow = result.slow();

        assertThat(slow).isNotNull();
        assertThat(slow.byThread()).isTrue();
        assertThat(slow.event()).isEqualTo(ProfileEvent.WALL.label());
        assertThat(slow.requests()).isGreaterThanOrEqualTo(8);
        assertThat(inclusive("slow", "burnSlowly")).isGreaterThan(0.7); // others may keep a quick one from its end
        assertThat(inclusive("wall", "burnSlowly")).isLessThan(0.3);
        assertThat(folder.resolve("slow.collapsed")).content().doesNotContain("Burning.hold");
        assertThat(stacksOf(folder.resolve("slow.html"))).contains("burnSlowly");
    }

    /// Insists on one source of CPU time.
    private static ProfilePlan countingBy(String source, Set<ProfileEvent> events) {
        return new ProfilePlan(events, false, null, Duration.ofHours(1), source);
    }

    private static double inclusive(String profile, String method) throws IOException {
        return FrameShares.read(folder.resolve(profile + ".collapsed"))
                .inclusive("kvant/lab/profile/Burning." + method);
    }

    @Test
    void requestsWithoutThreadsGetAFlameGraphOfTheProcessMeanwhile(@TempDir Path other) throws IOException {
        Slow slow = ProfileFiles.slow(folder.resolve("profile.jfr"), SlowWindows.of(slowRequests), other);

        assertThat(slow).isNotNull();
        assertThat(slow.event()).isEqualTo(ProfileEvent.CPU.label());
        assertThat(slow.requests()).isEqualTo(8);
        assertThat(slow.top()).extracting(Frame::frame).contains("kvant/lab/profile/Burning.spin");
        assertThat(other.resolve("slow.collapsed"))
                .content()
                .contains("Burning.burnSlowly")
                .doesNotContain("Burning.burnProcessor", "Burning.burnLock");
        assertThat(other.resolve("slow.html")).isNotEmptyFile();
    }

    @Test
    void noSampleIsNoFlameGraph(@TempDir Path other) {
        assertThat(ProfileFiles.slow(
                        folder.resolve("profile.jfr"), SlowWindows.of(List.of(new SlowWindow(1, 2, Set.of()))), other))
                .isNull();
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void whatTheProcessDoesNotGiveIsMissingAndTheRestIsThere(@TempDir Path other) throws Exception {
        ProfilePlan plan = countingBy("no-such-counter", EnumSet.of(ProfileEvent.CPU, ProfileEvent.ALLOC));
        Files.writeString(other.resolve("cpu.html"), "of an earlier profile");
        Recording recording = Profiler.attach(burning.pid()).start(plan, other);
        burning.slowRequests(1);
        ProfileRecord partial = recording.stop();

        assertThat(partial.events()).extracting(Event::event).containsExactly(ProfileEvent.ALLOC.label());
        assertThat(partial.missing()).singleElement().satisfies(missing -> {
            assertThat(missing.what()).isEqualTo("cpu");
            assertThat(missing.why()).isEqualTo(new Remark.Given("Unsupported event type"));
        });
        assertThat(other.resolve("profile.json")).content().contains("\"what\": \"cpu\"");
        assertThat(other.resolve("cpu.html")).doesNotExist();
        assertThat(other.resolve("alloc.html")).isNotEmptyFile();
    }

    @Test
    void anEngineThatWasAskedForIsSaid(@TempDir Path other) throws Exception {
        ProfilePlan plan = countingBy("itimer", Set.of(ProfileEvent.CPU));
        Recording recording = Profiler.attach(burning.pid()).start(plan, other);
        burning.slowRequests(1);
        ProfileRecord timed = recording.stop();

        assertThat(profile(timed, ProfileEvent.CPU).engine()).isEqualTo("itimer");
    }

    @Test
    void nothingThatCanBeProfiledIsOneLine(@TempDir Path other) {
        ProfilePlan plan = countingBy("no-such-counter", Set.of(ProfileEvent.CPU));
        Profiler profiler = Profiler.attach(burning.pid());

        assertThatThrownBy(() -> profiler.start(plan, other))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot profile process " + burning.pid() + ": Unsupported event type");
    }

    @Test
    void aSecondProfileAtTheSameTimeIsRefusedAndTheFirstGoesOn(@TempDir Path first, @TempDir Path second)
            throws Exception {
        ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.CPU));
        Recording recording = Profiler.attach(burning.pid()).start(plan, first);
        Profiler other = Profiler.attach(burning.pid());

        assertThatThrownBy(() -> other.start(plan, second))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is being profiled already");
        burning.slowRequests(1);
        assertThat(recording.stop().events().getFirst().samples()).isPositive();
    }

    @Test
    void aProcessThatIsKilledMeanwhileIsOneLine(@TempDir Path other) throws Exception {
        try (BurningProcess victim = BurningProcess.start()) {
            Recording recording = Profiler.attach(victim.pid()).start(ProfilePlan.of(Set.of(ProfileEvent.CPU)), other);
            victim.kill();

            assertThat(recording.isTargetAlive()).isFalse();
            assertThatThrownBy(recording::stop)
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("process " + victim.pid() + " ended before the profile did and left none");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:+DisableAttachMechanism, it takes no attachment (was it started with -XX:+DisableAttachMechanism?)",
        "-XX:-EnableDynamicAgentLoading, it was started with -XX:-EnableDynamicAgentLoading"
    })
    void aJvmThatTakesNoProfilerSaysWhy(String option, String message) throws Exception {
        try (BurningProcess closed = BurningProcess.start(option)) {
            assertThatThrownBy(() -> Profiler.attach(closed.pid()))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("cannot attach to process " + closed.pid())
                    .hasMessageContaining(message);
        }
    }

    /// The signal with which attaching begins would end it.
    @Test
    void aProcessThatIsNoJvmIsRefusedAndLeftAlone() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            assertThatThrownBy(() -> Profiler.attach(stranger.pid()))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("is not a Java virtual machine");
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessThatIsNotThereIsRefused() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();

        assertThatThrownBy(() -> Profiler.attach(gone.pid()))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no process " + gone.pid());
        assertThatThrownBy(() -> Profiler.attach(ProcessHandle.current().pid()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is this command itself");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anotherUsersProcessIsRefused() throws Exception {
        Process others = new ProcessBuilder("setpriv", "--reuid=65534", "--clear-groups", "sleep", "60").start();
        try {
            Awaitility.await().until(() -> !others.isAlive() || isOfAnother(others));
            assumeTrue(others.isAlive(), "only root may start a process of another user");

            assertThatThrownBy(() -> Profiler.attach(others.pid()))
                    .isInstanceOf(UserException.class)
                    .hasMessageMatching("process " + others.pid() + " belongs to user (.*): run this command as \\1");
        } finally {
            others.destroyForcibly().waitFor();
        }
    }

    private static boolean isOfAnother(Process process) {
        return !process.info().user().equals(ProcessHandle.current().info().user());
    }

    /// The JVM's own recorder takes samples, too, which would count twice.
    @Test
    void anotherRecordingInTheSameProcessAddsNoSamples(@TempDir Path other) throws Exception {
        try (BurningProcess recorded = BurningProcess.start(
                "-XX:StartFlightRecording=settings=profile,filename=" + other.resolve("its-own.jfr"))) {
            ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.WALL)).withSlowThreshold(Duration.ofHours(1));
            Recording recording = Profiler.attach(recorded.pid()).start(plan, other);
            recorded.slowRequests(3);
            ProfileRecord both = recording.stop();

            Event wall = profile(both, ProfileEvent.WALL);
            double ofBurner = wall.threads().stream()
                    .filter(thread -> thread.name().equals("burner"))
                    .mapToDouble(thread -> thread.share() * wall.samples())
                    .sum();
            assertThat(ofBurner)
                    .isPositive()
                    .isLessThanOrEqualTo(3 + both.durationNanos() / (double) ProfilePlan.WALL_INTERVAL.toNanos());
            assertThat(both.missing())
                    .singleElement()
                    .satisfies(missing -> assertThat(missing.what()).isEqualTo("slow"));
        }
    }

    @Test
    void aFolderThatCannotBeIsOneLine(@TempDir Path other) throws IOException {
        Profiler profiler = Profiler.attach(burning.pid());
        Path file = Files.createFile(other.resolve("file"));

        assertThatThrownBy(() -> profiler.start(ProfilePlan.of(EnumSet.allOf(ProfileEvent.class)), file))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot write profiles to " + file + ": something else has that name");
        assertThatThrownBy(
                        () -> profiler.start(ProfilePlan.of(EnumSet.allOf(ProfileEvent.class)), other.resolve("a,b")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no path with a comma or a percent sign");
    }
}
