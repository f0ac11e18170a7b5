package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kvant.report.StudyFixture;
import kvant.report.folder.ResultFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Results of `sync` and `async` in one phase, and the verdict on them.
abstract class TwoVariants {

    static final Frames FRAMES = Frames.of(Map.of());

    @TempDir
    Path folder;

    StudyFixture fixture = new StudyFixture(Path.of(""));

    @BeforeEach
    void twoVariants() {
        fixture = new StudyFixture(folder).variant("sync").variant("async").phase("put");
    }

    void question(String metric) {
        fixture.question("?", "", "put", metric, "sync", "async");
    }

    Verdict verdict() throws IOException {
        return Judge.answers(ResultFolder.read(fixture.write()), FRAMES)
                .getFirst()
                .verdicts()
                .getFirst();
    }

    /// Changes what a load wrote down.
    void change(String variant, int round, String pattern, String replacement) throws IOException {
        change(variant, "put", round, pattern, replacement);
    }

    void change(String variant, String phase, int round, String pattern, String replacement) throws IOException {
        Path load = folder.resolve("runs/" + fixture.id(variant, phase, round) + "/load.json");
        String text = Files.readString(load);
        String other = text.replaceFirst(pattern, replacement);
        assertThat(other).isNotEqualTo(text);
        Files.writeString(load, other);
    }
}
