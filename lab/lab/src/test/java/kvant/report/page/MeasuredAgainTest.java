package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The number of attempts that were thrown away because the host had disturbed them.
class MeasuredAgainTest {

    @TempDir
    Path folder;

    /// Two rounds of two variants: three attempts before the first was calm, and one before the second.
    private int discarded(StudyFixture fixture) throws IOException {
        fixture.variant("sync").variant("async").phase("put");
        for (int round = 1; round <= 2; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1, 9 + round));
        }
        Path run = fixture.write().resolve("run.json");
        Files.writeString(
                run,
                Files.readString(run)
                        .replaceAll("\"repeat\": 1,", "\"repeat\": 1, \"discarded\": 3,")
                        .replaceAll("\"repeat\": 2,", "\"repeat\": 2, \"discarded\": 1,"));
        return RunSection.discarded(ResultFolder.read(folder));
    }

    @Test
    void ofStepsEachHasItsOwn() throws IOException {
        assertThat(discarded(new StudyFixture(folder))).isEqualTo(8);
    }

    /// A turn is one of both variants, and each of their steps has it.
    @Test
    void aTurnIsCountedOnce() throws IOException {
        assertThat(discarded(new StudyFixture(folder).interleaved())).isEqualTo(4);
    }
}
