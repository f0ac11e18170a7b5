package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processor time taken by the host, by windows, in the charts over time: a peak in both was caused by the host.
class StolenTimeTest {

    private static final String COLUMNS =
            "[\"fromNanos\", \"lengthNanos\", \"completed\", \"errors\", \"p99Nanos\", \"answered\", \"stolenNanos\"]";

    @TempDir
    Path folder;

    /// A page of three windows of a second.
    private String page(int processors, long... stolenMillis) throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1).withSize(stolenMillis.length, 20));
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < stolenMillis.length; i++) {
            rows.append(i == 0 ? "" : ", ")
                    .append("[%d, 1000000000, 100, 0, 2000000, 100, %d]"
                            .formatted(i * 1_000_000_000L, stolenMillis[i] * 1_000_000));
        }
        Path load = folder.resolve("runs/01-sync-put/load.json");
        String text = Files.readString(load)
                .replaceFirst("(?s)\"windowColumns\": \\[.*?\\]", "\"windowColumns\": " + COLUMNS)
                .replaceFirst("(?s)\"windows\": \\[.*?\\],\\s*\"blocks\"", "\"windows\": [" + rows + "], \"blocks\"")
                .replaceFirst("(?s)\"host\": \\{.*?}", "\"host\": {\"processors\": " + processors + "}");
        assertThat(text).contains(rows, "\"processors\": " + processors);
        Files.writeString(load, text);
        Study.report(fixture.write(), Language.list("en,ru"));
        return Files.readString(folder.resolve("report.html"));
    }

    private static String chart(String html) {
        Matcher found = Pattern.compile("(?s)data-kind=\"time\".*?</script>").matcher(html);
        assertThat(found.find()).isTrue();
        return found.group().replaceAll("\\s", "");
    }

    /// Half a second of two processors that ran for a second each is a quarter.
    @Test
    void itIsAShareOfTheTimeOfAllProcessors() throws IOException {
        assertThat(chart(page(2, 0, 500, 2))).contains("\"stolen\":[[0,25,0.100]]");
    }

    @Test
    void theAxisHasANameAndAUnitInEachLanguage() throws IOException {
        assertThat(page(2, 0, 500, 2)).contains("\"taken by the host, % of the processors' time\"");
        assertThat(Files.readString(folder.resolve("report.ru.html")))
                .contains("отнято гипервизором, % времени процессоров");
    }

    @Test
    void whereNothingWasTakenOrNobodyKnowsThereIsNoSuchChart() throws IOException {
        assertThat(chart(page(2, 0, 0, 0))).doesNotContain("stolen");
        assertThat(chart(page(0, 0, 500, 2))).doesNotContain("stolen");
    }
}
