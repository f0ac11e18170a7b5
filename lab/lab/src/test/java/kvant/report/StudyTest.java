package kvant.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.report.verdict.Frames.Concept;
import kvant.report.verdict.Verdict;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyTest {

    @TempDir
    Path folder;

    /// A terminal that named a frame of the server where the report has a word for it was read as another finding.
    @Test
    void whatIsPrintedExplainsAVerdictAsTheReportDoes() throws IOException {
        StudyFixture fixture = StudyFixture.rich(folder);
        fixture.write("profiles/diff-sync-async-put-cpu.json", """
                {"event": "cpu", "a": "sync", "b": "async", "frames": [
                  {"frame": "org/example/store/Writer.flush", "a": 0.1, "b": 0.6, "delta": 0.5},
                  {"frame": "org/example/Own.work", "a": 0.1, "b": 0.7, "delta": 0.6}]}
                """);
        fixture.write();
        Study.report(folder, List.of(Language.EN));

        assertThat(Files.readString(folder.resolve("report.md"))).contains("flushing memtables");
        assertThat(Study.outlook(folder, Double.NaN))
                .extracting(forecast -> explanation(forecast.verdict()))
                .contains(Concept.FLUSH)
                .allMatch(concept -> concept == null || concept == Concept.FLUSH);
    }

    private static Concept explanation(Verdict verdict) {
        return verdict.decided() == null || verdict.decided().cpu() == null
                ? null
                : verdict.decided().cpu().concept();
    }
}
