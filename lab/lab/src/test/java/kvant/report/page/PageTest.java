package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.load.output.Markup;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.page.PhaseSection.TimeChart;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The files of a report: complete, alike, escaped and small.
class PageTest {

    private static final String EVIL = "</script><script>alert(1)</script><img src=x onerror='alert(2)'>\"'`|&";

    @TempDir
    private static Path rich;

    @TempDir
    Path folder;

    @BeforeAll
    static void reportOnce() throws IOException {
        Study.report(StudyFixture.rich(rich).write(), Language.list("en,ru"));
    }

    private static String read(Path folder, String name) throws IOException {
        return Files.readString(folder.resolve(name)).replace('\u00a0', ' ');
    }

    private static Map<?, ?> json(Path folder) throws IOException {
        return (Map<?, ?>)
                new Load(LoadSettings.builder().setCodePointLimit(1 << 26).build())
                        .loadFromString(Files.readString(folder.resolve("report.json")));
    }

    @Test
    void allFilesAreThereAndNothingElse() {
        assertThat(rich.toFile().list())
                .contains("report.html", "report.md", "report.json", "report.ru.html", "report.ru.md")
                .noneMatch(name -> name.endsWith(".new"));
    }

    @Test
    void thePageStandsAlone() throws IOException {
        String html = read(rich, "report.html");
        String withoutLibrary = html.replaceAll("(?s)<script>\\s*/\\*! https.*?</script>", "");

        assertThat(withoutLibrary).doesNotContain("https://", "<link", "@import", "url(");
        assertThat(withoutLibrary.replace("http://www.w3.org", "")).doesNotContain("http://");
        assertThat(html).contains("default-src 'none'").doesNotContain("'unsafe-eval'");
        assertThat(html.length()).isLessThan(300_000);
    }

    @Test
    void allOfTheContentIsThere() throws IOException {
        String html = read(rich, "report.html");

        assertThat(html)
                .contains(
                        "Is async better than sync for puts?", "executor&#39;s queue", "a queue of 1024 can never fill")
                .contains("A processor", "Linux 6.1", "OpenJDK 25", "0123456789ab", "(with changes)", "8.0 GiB")
                .contains(
                        "kvant lab run E --quick",
                        "KVANT_JAVA_OPTS=&#39;-Xmx256m -XX:+UseSerialGC&#39; kvant serve --executor async")
                .contains("data-kind=\"latency\"", "data-kind=\"time\"", "\"objective\"", "\"lanes\"")
                .contains("flush", "compaction", "timeout 9", "503 ×", "CPU per request", "largest memory (RSS)")
                .contains("allocated per request", "not measured", "1.5 KiB")
                .contains(
                        "./profiles/async-put/cpu.html",
                        "slow requests alone",
                        "./profiles/async-put/slow.html",
                        "LinkedBlockingQueue.take",
                        "+8.9 pp")
                .contains("part-queue", "group commit", "Only 93 % of the slow time of async")
                .contains("published", "196", "another machine")
                .contains("The busiest thread of the generator had work 31 % of the time", "takes +4.0 % CPU");
        assertThat(html)
                .contains("failed: 01-broken-put, 01-broken-get, 02-broken-put")
                .contains("03-broken-get: the server ended with code 1")
                .as("a doubt that a verdict names is no gap, too")
                .contains("02-adaptive-get is doubtful: the generator sent late, and ")
                .contains("doubtful: 02-adaptive-put: the generator sent late, and ")
                .contains(
                        "phase put: no tail attribution of adaptive", "phase get: no profile of sync, async, adaptive")
                .contains("profiles/async-put: lock: nobody waited");
    }

    /// The first screen, before the contents: a sentence, a picture, and whether a doubt could change them.
    @Test
    void theFirstScreenAnswers() throws IOException {
        String html = read(rich, "report.html");
        String first = html.substring(html.indexOf("<main>"), html.indexOf("<nav"));

        assertThat(first)
                .contains("<p class=\"answer\">", "of 6 comparisons. The largest difference: ")
                .doesNotContainPattern("The largest difference: (?i:no difference|too (little|noisy))")
                .contains(
                        "<div class=\"forest\">", "the sync way → the async way", "class=\"range\"", "class=\"ticks\"")
                .containsPattern(
                        "<summary>\\d+ doubts; \\d+ could change an answer · No answer yet to 3 of 6 comparisons,"
                                + " for \\d+ reasons · 1 known before the run · \\d+ gaps</summary>")
                .contains(
                        "Could change an answer",
                        "There is no answer yet, for these reasons",
                        "Known before the run",
                        "Missing, left out or in doubt")
                .containsSubsequence(
                        "class=\"answer\"", "class=\"forest\"", "<summary>", "Both ways of running requests");
        assertThat(read(rich, "report.ru.html"))
                .contains("Решено ", "Наибольшая разница: ", "способ sync → способ async")
                .containsPattern(
                        "<summary>\\d+ сомнени[йея]; из них могут изменить ответ: \\d+ · Ответа пока нет в 3 из 6,"
                                + " причин: \\d+ · известно до прогона: 1 · \\d+ пробел(а|ов)?</summary>");
    }

    @Test
    void aFlameGraphAndTheDifferenceAreOneClickFromTheVerdict() throws IOException {
        String html = read(rich, "report.html");
        String question = html.substring(html.indexOf("<section class=\"question\""));
        String links = question.substring(0, question.indexOf("</section>"));

        assertThat(links)
                .contains("./profiles/sync-put/cpu.html\">flame graph of sync", "./profiles/async-put/cpu.html")
                .contains("their difference</a>");
    }

    @Test
    void theTailIsOneBarForEachVariant() throws IOException {
        String html = read(rich, "report.html");
        String tail = html.substring(html.indexOf("id=\"tail\""), html.indexOf("id=\"profiles\""));

        assertThat(Pattern.compile("class=\"bar\"").matcher(tail).results().count())
                .isEqualTo(
                        Pattern.compile("<span>put · ").matcher(tail).results().count())
                .isPositive();
        assertThat(tail).contains("style=\"width:100.00%\"").containsPattern("\\b(45|90|135) requests");
        assertThat(tail).contains("during a flush").doesNotContain("during a compaction");
    }

    /// In the chart of our line, at percentiles that it has; the maximum has no place on the axis.
    @Test
    void whatWasPublishedIsInTheChart() throws IOException {
        Matcher chart = Pattern.compile("(?s)data-kind=\"latency\".*?\"published\": \\[\\s*\\[(.*?)]")
                .matcher(read(rich, "report.html"));

        assertThat(chart.find()).isTrue();
        assertThat(chart.group(1).split(","))
                .filteredOn(point -> !point.strip().equals("null"))
                .hasSize(2);
        assertThat(read(rich, "report.html")).contains("Circles are the published figures");
    }

    @Test
    void whatTheMachineDidMeanwhileIsShown() throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1));
        Path load = folder.resolve("runs/01-sync-put/load.json");
        String host = "\"host\": {\"processors\": 2, \"busyProcessors\": 1.5, \"ownProcessors\": 0.25,"
                + " \"stolenShare\": 0.031, \"looks\": 12, \"disturbed\": 2}";
        String text = Files.readString(load);
        String other = text.replaceFirst("(?s)\"host\": \\{.*?}", Matcher.quoteReplacement(host));
        assertThat(other).isNotEqualTo(text);
        Files.writeString(load, other);
        Study.report(fixture.write(), List.of(Language.EN));

        assertThat(read(folder, "report.md").replaceAll("\\\\(.)", "$1"))
                .contains("| put | sync | 0.25 | 1.25 | 3.1 % | – | – | 2 of 12 |");
    }

    /// Charts have room for what a variant is; tables and sentences have its name.
    @Test
    void chartsHaveTitles() throws IOException {
        List<String> charts = Pattern.compile("(?s)<script type=\"application/json\">(.*?)</script>")
                .matcher(read(rich, "report.html"))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(charts)
                .hasSize(4)
                .allSatisfy(chart -> assertThat(chart)
                        .contains("\"the async way\"", "\"the sync way\"")
                        .doesNotContain("\"name\":\"async\"", "\"name\": \"async\""));
        assertThat(read(rich, "report.html")).contains("put · the async way</span>");
    }

    @Test
    void theSourceIsCited() throws IOException {
        String cited = "Source: “Two ways”, stage 3 of the course highload, 2020; example.org/reports.";

        assertThat(read(rich, "report.html").split("<nav", 2)).hasSize(2).allMatch(part -> part.contains(cited));
        assertThat(((Map<?, ?>) json(rich).get("source")).get("title")).isEqualTo("Two ways");
    }

    @Test
    void threadsThatDifferInNumbersAloneAreOne() throws IOException {
        StudyFixture fixture =
                new StudyFixture(folder).variant("a").variant("b").phase("put");
        fixture.write("profiles/diff-a-b-put-cpu.json", """
                {"event": "cpu", "a": "a", "b": "b", "frames": [
                  {"frame": "[worker-1]", "a": 0.2, "b": 0.1, "delta": -0.1},
                  {"frame": "[worker-2]", "a": 0.1, "b": 0.25, "delta": 0.15}]}
                """);
        Study.report(fixture.write(), List.of(Language.EN));

        assertThat(read(folder, "report.md").replaceAll("\\\\(.)", "$1"))
                .contains("| [worker-*] | 30.0 % | 35.0 % | +5.0 pp |")
                .doesNotContain("worker-1");
    }

    @Test
    void markdownAndJsonSayTheSameAsThePage() throws IOException {
        String html = read(rich, "report.html");
        String markdown = read(rich, "report.md").replaceAll("\\\\(.)", "$1");
        int verdicts = 0;
        for (Object answer : (List<?>) json(rich).get("answers")) {
            for (Object one : (List<?>) ((Map<?, ?>) answer).get("verdicts")) {
                String verdict =
                        String.valueOf(((Map<?, ?>) one).get("verdict")).replace('\u00a0', ' ');
                assertThat(html).contains(Markup.escaped(verdict));
                assertThat(markdown).contains(verdict);
                verdicts++;
            }
        }
        assertThat(verdicts).isEqualTo(6);
        Matcher rows = Pattern.compile("<td[^>]*>([^<]+)").matcher(html);
        while (rows.find()) {
            assertThat(Markup.escaped(markdown)).contains(rows.group(1));
        }
    }

    @Test
    void theRussianReportIsRussian() throws IOException {
        String html = read(rich, "report.ru.html");

        assertThat(html)
                .contains(
                        "<html lang=\"ru\">",
                        "<h1>Async или sync?</h1>",
                        "Лучше ли async, чем sync, для записи?",
                        "Выводы",
                        "на 2 ядрах")
                .containsPattern("\\d,\\d+ мс")
                .contains("Зависит ли это от фазы?");
        assertThat(html).doesNotContain("No difference", "Too noisy", "slower than", "Verdicts", "requests/s");
        assertThat(read(rich, "report.ru.md")).contains("Что и где запускалось", "report.ru.html");
    }

    @Test
    void everyNumberIsOneAndEveryTableIsEven() throws IOException {
        String html = read(rich, "report.html");

        assertThat(html.replaceAll("(?s)<script>.*?</script>", "")).doesNotContain("NaN", "Infinity", "∞", "null%");
        for (String line : read(rich, "report.md").lines().toList()) {
            if (line.startsWith("|")) {
                assertThat(line).endsWith(" |");
            }
        }
        Matcher tables = Pattern.compile("(?s)<table>.*?</table>").matcher(html);
        while (tables.find()) {
            long head =
                    Pattern.compile("<th ").matcher(tables.group()).results().count();
            for (String row : tables.group().split("<tr>")) {
                if (row.contains("<td")) {
                    assertThat(Pattern.compile("<td").matcher(row).results().count())
                            .isEqualTo(head);
                }
            }
        }
    }

    @Test
    void namesFromAFileAreTextAndNothingElse() throws IOException {
        StudyFixture fixture = new StudyFixture(folder)
                .title(EVIL)
                .variant("a" + EVIL)
                .variant("b")
                .phase("put" + EVIL)
                .warning(EVIL)
                .partial(EVIL)
                .question(EVIL, EVIL, "put" + EVIL, "p50", "a" + EVIL, "b")
                .question("unknown", "", "", EVIL, "a" + EVIL, "b")
                .published("a" + EVIL, "put" + EVIL, 1, 2, 3);
        Path run = fixture.step("b", "put" + EVIL.replaceAll("[</>]", ""), 1, "failed", EVIL)
                .write();
        String load = SyntheticLoad.of(1, 1).json();
        fixture.write("runs/x/load.json", load);
        String text = Files.readString(run.resolve("run.json"));
        Files.writeString(
                run.resolve("run.json"),
                text.replaceFirst(
                        "\"steps\": \\[",
                        "\"steps\": [{\"id\": \"x\","
                                + " \"status\": \"done\", \"repeat\": 1, \"variant\": \"a"
                                + Matcher.quoteReplacement(EVIL.replace("\"", "\\\"")) + "\", \"phase\": \"put"
                                + Matcher.quoteReplacement(EVIL.replace("\"", "\\\"")) + "\"},"));
        Study.report(run, Language.list("ru"));
        for (String name : new String[] {"report.html", "report.ru.html"}) {
            String html = read(folder, name).replaceAll("(?s)<script>\\s*/\\*! https.*?</script>", "");
            assertThat(html).contains("&lt;/script&gt;").doesNotContain("<script>alert", "<img");
            assertThat(Pattern.compile("</script>").matcher(html).results().count())
                    .isEqualTo(Pattern.compile("<script[ >]")
                            .matcher(html)
                            .results()
                            .count());
            assertThat(Pattern.compile("<figure").matcher(html).results().count())
                    .isEqualTo(2);
        }
        assertThat(read(folder, "report.md")).doesNotContain(EVIL).contains("\\<script\\>alert(1)");
        assertThat(json(folder).get("title")).isEqualTo(EVIL);
    }

    @Test
    void aLinkNeverLeadsElsewhere() {
        assertThat(HtmlPage.link("profiles/a b/cpu.html")).isEqualTo("./profiles/a%20b/cpu.html");
        assertThat(HtmlPage.link("javascript:alert(1)")).isEqualTo("./javascript%3Aalert%281%29");
        assertThat(HtmlPage.link("\"><b>ж")).isEqualTo("./%22%3E%3Cb%3E%D0%B6");
    }

    @Test
    void aRunThatHardlyBeganIsReported() throws IOException {
        Files.writeString(folder.resolve("run.json"), "{\"schema\": \"kvant-lab/1\"}");
        Study.report(folder, List.of(Language.EN));
        assertThat(read(folder, "report.html"))
                .contains("This run is not complete", "The experiment asks no questions");

        new StudyFixture(folder)
                .variant("sync")
                .variant("async")
                .phase("put")
                .partial("stopped by a person")
                .question("?", "", "put", "p99", "sync", "async")
                .step("sync", "put", 1, SyntheticLoad.of(1, 1).withPartial("stopped by a person"))
                .step("async", "put", 1, "planned", "")
                .write();
        Study.report(folder, List.of(Language.EN));
        assertThat(read(folder, "report.html"))
                .contains("stopped by a person", "sync (partial)", "not run: 01-async-put")
                .contains("No verdict for phase put: there are no figures to judge of sync, async.")
                .contains("The tail was not attributed", "No profiles were taken");
    }

    @Test
    void aLongRunIsDrawnWithFewPointsAndKeepsItsPeaks() throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1).withSize(1500, 20).withFailures(0, 15));
        Study.report(fixture.write(), List.of(Language.EN));
        String html = read(folder, "report.html");
        Matcher chart = Pattern.compile("(?s)data-kind=\"time\".*?\"p99\": \\[\\s*\\[(.*?)]")
                .matcher(html);

        assertThat(chart.find()).isTrue();
        assertThat(chart.group(1).split(",").length).isBetween(120, TimeChart.MOST_POINTS);
        assertThat(chart.group(1)).containsPattern("\\b100\\d\\d\\.").doesNotContain("null");
    }

    private static String series(String html, String name) {
        Matcher found = Pattern.compile("(?s)data-kind=\"time\".*?\"" + name + "\": \\[?\\s*\\[?([^\\]\\n]*)")
                .matcher(html);
        assertThat(found.find()).as(name).isTrue();
        return found.group(1).replaceAll("[\\s,]+$", "");
    }

    /// The windows of a load of 3 s in halves of a second, and one of the time in which it drained.
    private String overTime(String rows) throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1).withSize(3, 20));
        Path load = folder.resolve("runs/01-sync-put/load.json");
        String text = Files.readString(load);
        String columns = "[\"fromNanos\", \"lengthNanos\", \"completed\", \"errors\", \"p50Nanos\", \"p99Nanos\","
                + " \"answered\"]";
        String other = text.replaceFirst("(?s)\"windowColumns\": \\[.*?\\]", "\"windowColumns\": " + columns)
                .replaceFirst("(?s)\"windows\": \\[.*?\\],\\s*\"blocks\"", "\"windows\": [" + rows + "], \"blocks\"");
        assertThat(other).contains(rows);
        Files.writeString(load, other);
        Study.report(fixture.write(), List.of(Language.EN));
        return read(folder, "report.html");
    }

    @Test
    void aChartOverTimeHasThePointsAndTheEndOfTheRun() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            rows.append("[%d, 500000000, 100, 0, 1000000, 2000000, 100], ".formatted(i * 500_000_000L));
        }
        String html = overTime(rows + "[3000000000, 950000000, 7, 0, 1000000, 900000000, 7]");

        assertThat(series(html, "x")).isEqualTo("0.250,0.750,1.250,1.750,2.250,2.750");
        assertThat(series(html, "end")).isEqualTo("3");
        assertThat(series(html, "rate")).isEqualTo("200,200,200,200,200,200");
    }

    @Test
    void whatNobodyAnsweredIsNoThroughput() throws IOException {
        String row = "[%d, 1000000000, 2500, 2500, 1000000, 2000000, 0]";
        String html =
                overTime(row.formatted(0) + ", " + row.formatted(1_000_000_000) + ", " + row.formatted(2_000_000_000L));

        assertThat(series(html, "rate")).isEqualTo("0,0,0");
        assertThat(series(html, "errors")).isEqualTo("2500,2500,2500");
    }

    @Test
    void aLoadThatWasNotStableYetIsNamed() throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1)).step("sync", "put", 2, SyntheticLoad.of(1, 2));
        Path load = folder.resolve("runs/02-sync-put/load.json");
        String text = Files.readString(load);
        String cold =
                text.replaceFirst("(?s)\"warmup\": \\{.*?}", "\"warmup\": {\"mode\": \"auto\", \"stable\": false}");
        assertThat(cold).isNotEqualTo(text);
        Files.writeString(load, cold);
        Study.report(fixture.write(), List.of(Language.EN));

        assertThat(read(folder, "report.html"))
                .contains("not yet stable when its warm-up had to end: 02-sync-put")
                .doesNotContain("02-sync-put, 0", "had to end: 01");
    }

    @Test
    void aFailedRequestIsNeverWithinTheObjective() throws IOException {
        StudyFixture fixture = new StudyFixture(folder)
                .variant("good")
                .variant("bad")
                .phase("put")
                .objective(100);
        fixture.step("good", "put", 1, SyntheticLoad.of(1, 1))
                .step("bad", "put", 1, SyntheticLoad.of(1, 1).withFailures(0.3, 0));
        Study.report(fixture.write(), List.of(Language.EN));

        assertThat(read(folder, "report.md"))
                .containsPattern("\\| put \\| good \\|.* ms \\| in 1 of 1 round \\|")
                .containsPattern("\\| put \\| bad \\| never \\| in 0 of 1 round \\|");
    }

    /// A histogram without a single time says 0, which would be the fastest of all.
    @Test
    void aStepInWhichNothingWasAskedHasNoTimes() throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1).withSize(12, 0));
        Study.report(fixture.write(), List.of(Language.EN));
        String text = read(folder, "report.md").replaceAll("\\\\(.)", "$1");

        assertThat(text)
                .containsPattern("\\| 01-sync-put \\| .* \\| 0 \\| – \\| 0 \\| – \\|")
                .containsPattern("\\| sync \\(.*\\) (\\| – ){6}\\| 0 \\|")
                .doesNotContain("0 ns");
        assertThat(read(folder, "report.json").replaceAll("\\s", "")).contains("\"99\":null", "\"100\":null");
    }

    @Test
    void theSchemaIsDocumented() throws IOException {
        String document = Files.readString(Path.of("../../docs/report.md"));
        Matcher members = Pattern.compile("\"(\\w+)\":").matcher(Files.readString(rich.resolve("report.json")));
        while (members.find()) {
            assertThat(document).contains(members.group(1));
        }
    }
}
