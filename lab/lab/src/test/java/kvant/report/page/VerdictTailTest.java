package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the slowest requests spent their time, in the card of the verdict that is about them.
class VerdictTailTest {

    private static final Pattern CARD = Pattern.compile("(?s)<article class=\"verdict.*?</article>");

    @TempDir
    Path folder;

    private void threeRounds() throws IOException {
        StudyFixture fixture = new StudyFixture(folder)
                .variant("sync")
                .variant("other")
                .variant("async")
                .phase("put")
                .phase("get");
        fixture.question("Slower?", "Медленнее?", "put", "p99", "async", "sync")
                .question("Dearer?", "Дороже?", "put", "cpu", "async", "sync")
                .question("Slower as a rule?", "Медленнее ли обычно?", "put", "p50", "async", "sync")
                .question("Slower to read?", "Медленнее ли чтение?", "get", "p99", "async", "sync");
        for (int round = 1; round <= 3; round++) {
            for (String variant : List.of("sync", "other", "async")) {
                fixture.step(variant, "put", round, SyntheticLoad.of(1, round))
                        .step(variant, "get", round, SyntheticLoad.of(1, round))
                        .tail(variant, "put", round, 0.97);
            }
        }
        Study.report(fixture.write(), Language.list("en,ru"));
    }

    private List<String> cards(String page) throws IOException {
        return CARD.matcher(Files.readString(folder.resolve(page)).replace('\u00a0', ' '))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /// Of 45 requests 40 took 9 ms, 4 ms of it in the queue, and 5 took 21 ms, 9 ms of it there.
    @Test
    void aVerdictOnTheTailHasOneStackedBarForEachOfItsVariants() throws IOException {
        threeRounds();
        String card = cards("report.html").getFirst();

        assertThat(card.split("class=\"bar\"", -1)).as("bars").hasSize(2 + 1);
        assertThat(card)
                .containsSubsequence(
                        "Where the slowest thousandth of the requests spent their time:",
                        "part-queue\"></span>queue",
                        "<span>the async way</span>",
                        "10.3 ms (mean of 135 requests): queue 44 %, sync 17 %",
                        "class=\"part-queue\" style=\"width:44.09%\"",
                        "<span>the sync way</span>")
                .contains("part-stall\"></span>write stall", "part-gc\"></span>GC")
                .doesNotContain("the other way", "safepoint</li>");
        assertThat(cards("report.ru.html").getFirst())
                .containsSubsequence(
                        "самой медленной тысячной доли запросов:", "очередь", "способ async", ": очередь 44 %");
        assertThat(Files.readString(folder.resolve("report.md")).replace('\u00a0', ' '))
                .contains("- the async way: 10.3 ms (mean of 135 requests): queue 44 %, sync 17 %");
    }

    /// A run that is stopped in the first warm-up leaves nothing but tails without a request.
    @Test
    void tailsWithoutSlowRequestsAreNone() throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1))
                .write("runs/01-sync-put/tail.json", "{\"schema\": \"kvant-tail/1\", \"bands\": []}");
        Study.report(fixture.write(), Language.list("en,ru"));

        assertThat(Files.readString(folder.resolve("report.html"))).contains("The tail was not attributed");
        assertThat(Files.readString(folder.resolve("report.ru.md"))).contains("Разбора хвоста");
    }

    @Test
    void aVerdictOfSomethingElseOrWithoutATailHasNone() throws IOException {
        threeRounds();

        assertThat(cards("report.html")).hasSize(4);
        assertThat(cards("report.html").subList(1, 4)).noneMatch(card -> card.contains("class=\"bar"));
    }
}
