package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Variants that get some of the loads alone.
class OwnLoadsTest {

    @TempDir
    private Path folder;

    private StudyFixture fixture() throws IOException {
        StudyFixture fixture = new StudyFixture(folder)
                .variant("all")
                .variant("puts")
                .onlyGets("puts", "put")
                .phase("put")
                .phase("get")
                .question("?", "", "", "p99", "all", "puts");
        for (int round = 1; round <= 4; round++) {
            fixture.step("all", "put", round, SyntheticLoad.of(1, round))
                    .step("puts", "put", round, SyntheticLoad.of(2, 70 + round))
                    .step("all", "get", round, SyntheticLoad.of(1, 30 + round));
        }
        return fixture;
    }

    /// Also its confidence is not spread over comparisons that were not meant.
    @Test
    void aQuestionComparesWhereBothWereMeantToBeMeasured() throws IOException {
        List<Verdict> verdicts = Judge.answers(ResultFolder.read(fixture().write()), TwoVariants.FRAMES)
                .getFirst()
                .verdicts();

        assertThat(verdicts).extracting(Verdict::phase).containsExactly("put");
        assertThat(verdicts.getFirst().decided()).isNotNull();
        assertThat(verdicts.getFirst().decided().confidence()).isEqualTo(Judge.CONFIDENCE);
    }

    @Test
    void aLoadThatItWasNotMeantToGetIsNotMissing() throws IOException {
        Path results = fixture().write();
        List<Path> _ = Study.report(results, List.of(Language.EN));

        assertThat(results.resolve("report.md"))
                .content()
                .doesNotContain("no step of")
                .contains("(1.2-puts)");
        assertThat(Files.readString(results.resolve("report.html"))).contains("1.2-all");
    }
}
