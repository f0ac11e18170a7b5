package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTextTest {

    private static final Path JFR = Path.of("/p.jfr");
    private static final Path LOG = Path.of("/log");

    @Test
    void oneRecordingHoldsAllEvents() {
        ProfilePlan plan = ProfilePlan.ofAll().withLongest(Duration.ofMillis(90_500));

        assertThat(CommandText.start(plan, JFR, LOG))
                .isEqualTo("start,jfr,clock=monotonic,event=cpu,interval=2000000,alloc=512k,lock=10000,wall=20000000,"
                        + "timeout=91,file=/p.jfr,log=/log");
    }

    /// Nobody has to end a profiler whose master was killed.
    @Test
    void everyRecordingEndsByItself() {
        ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.LOCK));

        assertThat(CommandText.start(plan, JFR, LOG)).contains(",lock=10000,timeout=90000,");
        assertThat(CommandText.start(plan.withLongest(Duration.ofNanos(1)), JFR, LOG))
                .contains(",timeout=1,");
    }

    @Test
    void requestsAreRecordedWhereSlowOnesAreAskedFor() {
        ProfilePlan plan = ProfilePlan.of(Set.of(ProfileEvent.CPU)).withSlowThreshold(Duration.ofMillis(5));

        assertThat(CommandText.start(plan, JFR, LOG)).contains(",jfrsync=+kvant.Request,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a,b", "/a/%p"})
    void aPathThatTheProfilerWouldUnderstandOtherwiseIsRefused(String path) {
        assertThatThrownBy(() -> CommandText.refuseUnspeakable(Path.of(path)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(path);
    }
}
