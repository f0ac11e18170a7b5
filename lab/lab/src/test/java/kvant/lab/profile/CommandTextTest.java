package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTextTest {

    private static final Path JFR = Path.of("/p.jfr");
    private static final Path LOG = Path.of("/log");

    @Test
    void oneRecordingHoldsAllEvents() {
        ProfilePlan plan = ProfilePlan.of(EnumSet.allOf(ProfileEvent.class)).withLongest(Duration.ofMillis(90_500));

        assertThat(plan.startCommand(JFR, LOG))
                .isEqualTo("start,jfr,clock=monotonic,event=cpu,interval=2000000,alloc=512k,lock=10000,wall=20000000,"
                        + "timeout=91,file=/p.jfr,log=/log");
    }

    /// A profiler ends by itself, even after its master was killed.
    @Test
    void everyRecordingEndsByItself() {
        ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.LOCK));

        assertThat(plan.startCommand(JFR, LOG)).contains(",lock=10000,timeout=90000,");
        assertThat(plan.withLongest(Duration.ofNanos(1)).startCommand(JFR, LOG)).contains(",timeout=1,");
    }

    @Test
    void requestsAreRecordedWhereSlowOnesAreAskedFor() {
        ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.CPU)).withSlowThreshold(Duration.ofMillis(5));

        assertThat(plan.startCommand(JFR, LOG)).contains(",jfrsync=+kvant.Request,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a,b", "/a/%p"})
    void aPathThatTheProfilerWouldUnderstandOtherwiseIsRefused(String path) {
        assertThatThrownBy(() -> JvmProcess.refuseUnspeakable(Path.of(path)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(path);
    }
}
