package kvant.report.verdict;

import java.io.IOException;
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
}
