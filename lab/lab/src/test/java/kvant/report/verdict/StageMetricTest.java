package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import kvant.lab.result.StepRecord.Stage;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.Unjudged;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;

/// Questions about the time that requests are in a stage of the node.
class StageMetricTest extends TwoVariants {

    private static final Pattern PROCESS = Pattern.compile("\"userProcessors\": [0-9.]+");

    /// Four rounds in which the engine of the second variant takes so many times as long as that of the first.
    private List<Verdict> verdicts(double factor, String... metrics) throws IOException {
        for (String metric : metrics) {
            question(metric);
        }
        for (int round = 1; round <= 4; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1, 70 + round));
        }
        Path run = fixture.write().resolve("run.json");
        int[] step = {0};
        Files.writeString(run, PROCESS.matcher(Files.readString(run)).replaceAll(found -> {
            double nanos = (20_000 + 100 * step[0]) * (step[0]++ % 2 == 0 ? 1 : factor);
            return found.group() + String.format(Locale.ROOT, ", \"stageNanos\": {\"engine\": %.3f}", nanos);
        }));
        return Judge.answers(ResultFolder.read(fixture.folder()), FRAMES).stream()
                .map(answer -> answer.verdicts().getFirst())
                .toList();
    }

    private static String said(Language language, Verdict verdict) {
        return new Words(language).say(VerdictSentences.headline(verdict)).replace('\u00a0', ' ');
    }

    @Test
    void theStageOfTheNodeIsComparedWhateverTheResponseTimesSay() throws IOException {
        List<Verdict> verdicts = verdicts(3, "stage.engine", "p99");

        assertThat(verdicts.get(0).outcome()).isEqualTo(Outcome.WORSE);
        assertThat(said(Language.EN, verdicts.get(0)))
                .matches("With async, the mean time in the stage engine is [23][.0-9]* times as long as with sync .*");
        assertThat(said(Language.RU, verdicts.get(0)))
                .startsWith("У async больше, чем у sync, среднее время в движке: ");
        assertThat(verdicts.get(1).outcome()).isNotEqualTo(Outcome.WORSE);
    }

    @Test
    void eachStageOfANodeCanBeAskedAbout() {
        for (Stage stage : Stage.values()) {
            assertThat(Metric.parse(stage.metric()).map(metric -> metric.kind().key()))
                    .contains(stage.metric());
        }
    }

    @Test
    void aStageThatNoRecordingToldIsNotMeasured() throws IOException {
        Verdict verdict = verdicts(3, "stage.queue").getFirst();

        assertThat(verdict.unjudged()).isInstanceOf(Unjudged.NotMeasured.class);
        assertThat(said(Language.EN, verdict)).contains("the mean time in the stage queue was not measured");
        assertThat(Metric.parse("stage.moon")).isEmpty();
    }
}
