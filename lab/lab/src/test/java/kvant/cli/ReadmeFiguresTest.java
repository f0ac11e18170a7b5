package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The figures of the README were measured: each ratio stands in the results that its row links to, and both languages
/// say the same.
class ReadmeFiguresTest {

    private static final Path TREE = Path.of("../..");

    /// Not of a name such as p99.
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(\\.\\d+)?");

    private static final Pattern PAGE = Pattern.compile("\\[\\w+]\\((docs/results/[^)#]+)(#[^)]*)?\\) *");

    /// A row of the tables that link to results.
    ///
    /// @param numbers the ratios, without the marks of the language
    /// @param source the page with the results
    private record Row(String text, List<BigDecimal> numbers, String source) {}

    private static List<Row> rows(String name, boolean russian) throws IOException {
        return Files.readString(TREE.resolve(name))
                .lines()
                .filter(line -> line.startsWith("|") && line.contains("(docs/results/"))
                .map(line -> row(line, russian))
                .toList();
    }

    private static Row row(String line, boolean russian) {
        String[] cells = line.split(" \\| ");
        return new Row(line, numbers(russian ? inEnglish(cells[1]) : cells[1]), cells[2].replaceFirst(" \\|$", ""));
    }

    private static String inEnglish(String russian) {
        return russian.replaceAll("(?<=\\d),(?=\\d)", ".");
    }

    private static List<BigDecimal> numbers(String english) {
        List<BigDecimal> numbers = new ArrayList<>();
        Matcher number = NUMBER.matcher(english.replaceAll("(?<=\\d),(?=\\d{3}(?!\\d))", ""));
        while (number.find()) {
            numbers.add(new BigDecimal(number.group()));
        }
        return numbers;
    }

    /// The numbers of a row that the page that it links to does not have.
    private static List<String> unfounded(Row row) throws IOException {
        Matcher page = PAGE.matcher(row.source());
        if (!page.matches()) {
            return List.of("no page of results: " + row.source());
        }
        List<BigDecimal> measured = numbers(Files.readString(TREE.resolve(page.group(1))));
        return row.numbers().stream()
                .filter(number -> measured.stream().noneMatch(each -> each.compareTo(number) == 0))
                .map(BigDecimal::toPlainString)
                .toList();
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
    void aNumberThatIsNotInTheResultsIsFound() throws IOException {
        String first = rows("README.md", false).getFirst().text();
        assertThat(unfounded(row(first, false))).isEmpty();
        assertThat(unfounded(row(first.replace("1.07", "1.079"), false))).containsExactly("1.079");
        assertThat(unfounded(row(first.replace("docs/results/beside", "docs/beside"), false)))
                .hasSize(1);
    }
}
