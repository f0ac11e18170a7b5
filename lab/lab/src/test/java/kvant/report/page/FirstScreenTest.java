package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first screen with open questions: nothing sounds like an answer.
class FirstScreenTest {

    private static final int ROUNDS = 5;

    /// Whose interval allows of anything.
    private static final double[] SPREAD = {0.4, 1.1, 2.1, 0.55, 0.7};

    @TempDir
    Path folder;

    private StudyFixture fixture = new StudyFixture(Path.of(""));

    @BeforeEach
    void twoVariantsUnderTwoLoads() {
        fixture = new StudyFixture(folder)
                .variant("sync")
                .variant("async")
                .phase("put")
                .phase("get")
                .question("Is it the same?", "Одинаковы ли?", "", "p50", "sync", "async");
    }

    private String first(String page) throws IOException {
        Study.report(fixture.write(), Language.list("en,ru"));
        String html = Files.readString(folder.resolve(page)).replace('\u00a0', ' ');
        return html.substring(html.indexOf("<main>"), html.indexOf("<nav"));
    }

    private void same(String phase) throws IOException {
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", phase, round, SyntheticLoad.of(1, round))
                    .step("async", phase, round, SyntheticLoad.of(1, round));
        }
    }

    private void open(String phase) throws IOException {
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", phase, round, SyntheticLoad.of(1, round))
                    .step("async", phase, round, SyntheticLoad.of(SPREAD[round - 1], 70 + round));
        }
    }

    /// Of a single round nothing is claimed.
    private void single(String phase) throws IOException {
        fixture.step("sync", phase, 1, SyntheticLoad.of(1, 1))
                .step("async", phase, 1, SyntheticLoad.of(2.5, 2).withLag(0.95));
    }

    @Test
    void whatIsOpenIsNotTheSame() throws IOException {
        same("put");
        open("get");

        assertThat(first("report.html"))
                .contains("Decided: 1 of 2 comparisons. No decided comparison shows a difference as large as its"
                        + " question asks about; the rest are open.")
                .contains(
                        "No answer yet to 1 of 2 comparisons",
                        "Too noisy to tell async from sync at p50: 5 rounds differ")
                .doesNotContain("None of them shows");
        assertThat(first("report.ru.html"))
                .contains("Решено 1 из 2 сравнений. Среди решённых разницы, о которой спрашивает вопрос, нет ни"
                        + " в одном; остальные открыты.")
                .doesNotContain("Разницы, о которой");
    }

    @Test
    void theLargestDifferenceIsADecidedOne() throws IOException {
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1.5, 70 + round));
        }
        open("get");

        assertThat(first("report.html"))
                .contains("Decided: 1 of 2 comparisons. The largest difference: async is slower than sync at p50");
    }

    @Test
    void whereAllIsDecidedNothingDiffers() throws IOException {
        same("put");
        same("get");

        assertThat(first("report.html"))
                .contains("Decided: 2 of 2 comparisons. None of them shows a difference as large as its"
                        + " question asks about.");
        assertThat(first("report.ru.html"))
                .contains("Решено 2 из 2 сравнений. Разницы, о которой спрашивает вопрос, нет ни" + " в одном.");
    }

    @Test
    void whereThereIsNoAnswerNoDoubtIsSaidToLeaveItAsItIs() throws IOException {
        single("put");
        single("get");

        assertThat(first("report.html"))
                .contains("Decided: 0 of 2 comparisons.")
                .contains("<summary>No answer yet to 2 of 2 comparisons, for 3 reasons</summary>")
                .contains("There is no answer yet, for these reasons", "A single round cannot say")
                .doesNotContain("change an answer", "warning applies")
                .as("one round is no plan")
                .doesNotContain("kvant lab plan");
        assertThat(first("report.ru.html"))
                .contains("<summary>Ответа пока нет в 2 из 2, причин: 3</summary>", "Ответа пока нет по этим причинам")
                .doesNotContain("изменить ответ");
    }

    @Test
    void whereRoundsTellHowManyItTakesThePlanIsNamed() throws IOException {
        open("put");
        open("get");

        assertThat(first("report.html"))
                .contains("Decided: 0 of 2 comparisons. The verdicts below say why; kvant lab plan estimates how many"
                        + " rounds");
    }

    /// The single round of one is a reason; what could not change the answer to the other stays a doubt.
    @Test
    void anAnswerHasDoubtsAndAMissingOneHasReasons() throws IOException {
        same("put");
        fixture.step("sync", "put", ROUNDS + 1, SyntheticLoad.of(1, 9))
                .step("async", "put", ROUNDS + 1, "failed", "no memory");
        single("get");

        assertThat(first("report.html"))
                .containsPattern("<summary>2 doubts(, and none|; \\d) could change an answer ·"
                        + " No answer yet to 1 of 2 comparisons, for 2 reasons · \\d+ gaps?</summary>")
                .containsSubsequence(
                        "change an answer", "There is no answer yet, for these reasons", "Missing, left out");
    }

    @Test
    void gapsAreNoDoubts() throws IOException {
        same("put");
        same("get");
        fixture.step("sync", "put", ROUNDS + 1, "planned", "");

        assertThat(first("report.html")).containsPattern("<summary>\\d doubts?.* · \\d gaps?</summary>");
    }

    /// Names and ids are for files and commands: who reads the picture knows neither.
    @Test
    void thePictureHasQuestionsAndTitlesInEachLanguage() throws IOException {
        same("put");
        open("get");

        String picture = picture("report.html");
        assertThat(picture)
                .containsSubsequence(
                        "<p class=\"row-question\">Is it the same?</p>",
                        "<span class=\"row-label\">the sync way → the async way · p50 · put</span>",
                        "<span class=\"row-label\">the sync way → the async way · p50 · get</span>");
        assertThat(picture.split("Is it the same\\?", -1))
                .as("said once for both rows")
                .hasSize(2);
        assertThat(picture("report.ru.html"))
                .containsSubsequence(
                        "<p class=\"row-question\">Одинаковы ли?</p>",
                        "<span class=\"row-label\">способ sync → способ async · p50 · put</span>");
        assertThat(Files.readString(folder.resolve("report.md")).replace('\u00a0', ' '))
                .containsPattern("- Is it the same\\? the sync way → the async way · p50 · put: "
                        + "no difference of 10 % or more, ");
    }

    private String picture(String page) throws IOException {
        String screen = first(page);
        return screen.substring(screen.indexOf("<div class=\"forest\">"), screen.indexOf("<div class=\"ticks\""))
                .replaceAll("href=\"[^\"]*\"", "");
    }
}
