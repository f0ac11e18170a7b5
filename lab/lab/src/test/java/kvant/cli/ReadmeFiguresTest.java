package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What the README says first is what was measured: each number of a row stands in the results that the row links
/// to, made by that command at that commit, and both languages say the same.
class ReadmeFiguresTest {

    private static final Path TREE = Path.of("../..");

    /// Not of a name such as p99.
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(\\.\\d+)?");

    private static final Pattern SOURCE = Pattern.compile("`([^`]+)`, \\[(\\w{7})]\\(([^)#]+)(#[^)]*)?\\) *");

    /// A row of the first table.
    ///
    /// @param numbers of what was measured and what came out, without the marks of the language
    /// @param source the command, the commit, and the page with the results
    private record Row(String text, List<BigDecimal> numbers, String source) {}

    private static List<Row> rows(String name, boolean russian) throws IOException {
        return Files.readString(TREE.resolve(name))
                .lines()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> row(line, russian))
                .toList();
    }

    private static Row row(String line, boolean russian) {
        String[] cells = line.split(" \\| ");
        String said = cells[0] + " | " + cells[1];
        return new Row(line, numbers(russian ? inEnglish(said) : said), cells[2].replaceFirst(" \\|$", ""));
    }

    private static String inEnglish(String russian) {
        return russian.replaceAll("(?<=\\d)[ \u00a0\u202f](?=\\d{3}(?!\\d))", "")
                .replaceAll("(?<=\\d),(?=\\d)", ".");
    }

    private static List<BigDecimal> numbers(String english) {
        List<BigDecimal> numbers = new ArrayList<>();
        Matcher number = NUMBER.matcher(english.replaceAll("(?<=\\d),(?=\\d{3}(?!\\d))", ""));
        while (number.find()) {
            numbers.add(new BigDecimal(number.group()));
        }
        return numbers;
    }

    /// Whether a page has this number. One that was rounded stands for what the page has beside another number of the
    /// row: a page has something that rounds to almost any number.
    private static boolean stands(BigDecimal number, List<BigDecimal> row, List<List<BigDecimal>> page) {
        return page.stream()
                .anyMatch(line -> has(line, number)
                        || line.stream().anyMatch(measured -> isRoundedFrom(number, measured))
                                && row.stream().anyMatch(other -> has(line, other)));
    }

    private static boolean has(List<BigDecimal> line, BigDecimal number) {
        return line.stream().anyMatch(each -> each.compareTo(number) == 0);
    }

    private static boolean isRoundedFrom(BigDecimal number, BigDecimal measured) {
        return number.scale() > 0
                && measured.scale() > number.scale()
                && measured.setScale(number.scale(), RoundingMode.HALF_UP).compareTo(number) == 0;
    }

    /// What a row says that the page that it links to does not.
    private static List<String> unfounded(Row row) throws IOException {
        Matcher source = SOURCE.matcher(row.source());
        if (!source.matches()) {
            return List.of("no command, commit and page: " + row.source());
        }
        String page = Files.readString(TREE.resolve(source.group(3))).replace("'", "");
        List<String> missing = new ArrayList<>();
        for (String word : List.of(source.group(1), source.group(2))) {
            if (!page.contains(word)) {
                missing.add(word);
            }
        }
        List<List<BigDecimal>> measured =
                page.lines().map(ReadmeFiguresTest::numbers).toList();
        for (BigDecimal number : row.numbers()) {
            if (!stands(number, row.numbers(), measured)) {
                missing.add(number.toPlainString());
            }
        }
        return missing;
    }

    @Test
    void eachNumberStandsInTheResultsThatItsRowLinksTo() throws IOException {
        for (Row row : rows("README.md", false)) {
            assertThat(row.numbers()).as(row.text()).isNotEmpty();
            assertThat(unfounded(row)).as(row.text()).isEmpty();
        }
    }

    @Test
    void bothLanguagesHaveTheSameNumbersFromTheSameResults() throws IOException {
        List<Row> english = rows("README.md", false);
        List<Row> russian = rows("README.ru.md", true);
        assertThat(russian).hasSameSizeAs(english).hasSizeGreaterThan(3);
        for (int i = 0; i < english.size(); i++) {
            assertThat(russian.get(i).numbers())
                    .as(russian.get(i).text())
                    .containsExactlyInAnyOrderElementsOf(english.get(i).numbers());
            assertThat(russian.get(i).source()).isEqualTo(english.get(i).source());
        }
    }

    @Test
    void aNumberThatNobodyMeasuredIsFound() throws IOException {
        String first = rows("README.md", false).getFirst().text();
        assertThat(unfounded(row(first, false))).isEmpty();
        assertThat(unfounded(row(first.replace("95,122", "95,222"), false))).contains("95222");
        assertThat(unfounded(row(first.replace("9.4 us", "9.3 us"), false))).containsExactly("9.3");
        assertThat(unfounded(row(first.replace("--rounds 8", "--rounds 9"), false)))
                .hasSize(1);
        assertThat(unfounded(row(first.replace("[08c5ec4]", "[18c5ec4]"), false)))
                .containsExactly("18c5ec4");
        assertThat(unfounded(row("| a | 1 | `command` |", false))).hasSize(1);
    }
}
