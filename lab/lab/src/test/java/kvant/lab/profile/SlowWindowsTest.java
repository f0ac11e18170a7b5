package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.profile.SlowWindows.SlowWindow;
import kvant.load.result.SlowestFile;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowWindowsTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"99,0", "100,1", "150,1", "200,1", "250,1", "300,1", "301,0", "499,0", "500,1", "601,0"})
    void aSampleCountsWhileARequestWasOnItsWay(long time, long counted) {
        SlowWindows windows = SlowWindows.of(List.of(
                new SlowWindow(500, 600, Set.of()),
                new SlowWindow(100, 300, Set.of()),
                new SlowWindow(150, 200, Set.of())));

        assertThat(windows.count(7, time, 1, 10)).isEqualTo(counted);
        assertThat(windows.requests()).isEqualTo(3);
        assertThat(windows.byThread()).isFalse();
    }

    @Test
    void aSampleThatStandsForSeveralCountsForThoseInside() {
        SlowWindows windows =
                SlowWindows.of(List.of(new SlowWindow(100, 130, Set.of()), new SlowWindow(500, 505, Set.of())));

        assertThat(windows.count(7, 0, 100, 10)).isEqualTo(5); // 100, 110, 120, 130, 500
    }

    @Test
    void whereThreadsAreKnownOnlyTheirsCount() {
        SlowWindows windows =
                SlowWindows.of(List.of(new SlowWindow(100, 200, Set.of(1L, 2L)), new SlowWindow(300, 400, Set.of(1L))));

        assertThat(windows.byThread()).isTrue();
        assertThat(windows.count(1, 150, 1, 10)).isEqualTo(1);
        assertThat(windows.count(2, 150, 1, 10)).isEqualTo(1);
        assertThat(windows.count(1, 350, 1, 10)).isEqualTo(1);
        assertThat(windows.count(2, 350, 1, 10)).isZero();
        assertThat(windows.count(3, 150, 1, 10)).isZero();
    }

    @Test
    void oneRequestWithoutThreadsMakesAllCount() {
        SlowWindows windows =
                SlowWindows.of(List.of(new SlowWindow(100, 200, Set.of(1L)), new SlowWindow(300, 400, Set.of())));

        assertThat(windows.byThread()).isFalse();
        assertThat(windows.count(9, 150, 1, 10)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                                  | is not a list of slow requests",
                "[]                                                | is not a list of slow requests",
                "{\"schema\": \"kvant-load/1\", \"requests\": []}  | is not a list of slow requests",
                "{\"schema\": \"kvant-slow/1\"}                    | is not a list of slow requests",
                "{\"schema\": \"kvant-slow/1\", \"requests\": [{\"sentNanos\": 5}]} | request 1 lacks",
                "{\"schema\": \"kvant-slow/1\", \"requests\": [{\"dueNanos\": 1, \"sentNanos\": 5,"
                        + " \"receivedNanos\": 4}]} | request 1 was answered before it was due or sent",
                "{                                                 | is not JSON: it ends in the middle (line 1)"
            })
    void aFileThatIsNoListOfThemIsOneLine(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("slow.json"), text == null ? "" : text);

        assertThatThrownBy(() -> SlowestFile.read(file))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aRecordingThatIsNoneIsOneLine() throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.jfr"), "not a recording, but long enough to hold a header of one".repeat(3));

        Path another = folder.resolve("another.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(another);
        }

        assertThatThrownBy(() -> SampleConverter.convert(another, ProfileEvent.CPU, false, null, folder.resolve("c")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("it is no recording of the profiler");
        for (Path jfr : List.of(file, another, folder.resolve("none.jfr"))) {
            assertThatThrownBy(() ->
                            ProfileFiles.slow(jfr, SlowWindows.of(List.of(new SlowWindow(1, 2, Set.of()))), folder))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(jfr.toString());
        }
    }
}
