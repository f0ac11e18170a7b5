package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferenceTest {

    @TempDir
    private Path folder;

    private Path collapsed(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private void difference(Path a, Path b) {
        Profiler.difference(a, "sync", b, "async", ProfileEvent.CPU, html(), json());
    }

    private Path html() {
        return folder.resolve("out").resolve("d.html");
    }

    private Path json() {
        return folder.resolve("out").resolve("d.json");
    }

    @Test
    void theFramesThatDifferAreNamedTheGreatestFirst() throws IOException {
        difference(
                collapsed("a", "run_[j];read_[j] 80", "run_[j];park 20"),
                collapsed("b", "run_[0];read_[j] 30", "run_[0];park 10", "run_[0];queue_[j] 60"));

        assertThat(json()).content().isEqualTo("""
                {
                  "event": "cpu",
                  "a": "sync",
                  "b": "async",
                  "frames": [
                    {
                      "frame": "queue",
                      "a": 0,
                      "b": 0.600,
                      "delta": 0.600
                    },
                    {
                      "frame": "read",
                      "a": 0.800,
                      "b": 0.300,
                      "delta": -0.500
                    },
                    {
                      "frame": "park",
                      "a": 0.200,
                      "b": 0.100,
                      "delta": -0.100
                    }
                  ]
                }
                """);
    }

    /// `d=N` is what a frame has more of its own, `d=U` one that is new.
    @Test
    void thePictureComparesSharesAndNotCounts() throws IOException {
        difference(
                collapsed("a", "run;read 5", "run;park 5"),
                collapsed("b", "run;read 600", "run;park 300", "run;queue 100"));

        assertThat(html())
                .content()
                .contains("maxdiff = 200;", "\nd=100\n", "\nd=-200\n", "\nd=U\n", "from sync to async");
        assertThat(folder.resolve("out").toFile().list()).hasSize(2);
    }

    @Test
    void threadsOfTwoProcessesAreComparedByName() throws IOException {
        difference(collapsed("a", "[loop tid=1];read 5"), collapsed("b", "[loop tid=2];read 5"));

        assertThat(html()).content().contains("[loop]").doesNotContain("d=U", "tid=");
        assertThat(json()).content().contains("\"frames\": []");
    }

    /// Which of a pool is the busiest is an accident.
    @Test
    void threadsThatDifferInNumbersAloneAreOne() throws IOException {
        difference(
                collapsed("a", "[worker-1 tid=7];read 30", "[worker-2 tid=8];read 10", "main;read 60"),
                collapsed("b", "[worker-2 tid=9];read 40", "main;read 60"));

        assertThat(json()).content().contains("\"frames\": []");
        assertThat(html()).content().contains("[worker-*]").doesNotContain("worker-1", "worker-2");
    }

    @Test
    void theListIsBounded() throws IOException {
        String[] many =
                IntStream.range(0, 200).mapToObj(i -> "run;f" + i + " 1").toArray(String[]::new);
        difference(collapsed("a", "run;read 5"), collapsed("b", many));

        assertThat(Files.readString(json()).split("\"frame\":", -1)).hasSize(51);
    }

    @Test
    void aNameIsTextAndNotHtml() throws IOException {
        Path a = collapsed("a", "run;read 5");
        Profiler.difference(a, "<b>&", a, "c", ProfileEvent.CPU, html(), json());

        assertThat(html()).content().contains("from &lt;b>&amp; to c");
    }

    @Test
    void aFileThatIsNotThereOrHoldsNothingIsOneLine() throws IOException {
        Path whole = collapsed("a", "run;read 5");
        Path empty = collapsed("b");

        assertThatThrownBy(() -> difference(whole, empty))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith(empty + " holds no samples");
        assertThatThrownBy(() -> difference(folder.resolve("none"), whole))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith("there is no such file");
    }
}
