package kvant.report.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.report.words.Phrase.Value;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The catalogues say the same things in all languages, with the right forms of nouns and numbers.
class WordsTest {

    private static final Pattern FORM = Pattern.compile("(.+)\\.(one|few|many|other)");
    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");
    private static final Path SOURCES = Path.of("src/main/java/kvant/report");

    private static final Words EN = new Words(Language.EN);
    private static final Words RU = new Words(Language.RU);

    private static String base(String key) {
        var form = FORM.matcher(key);
        return form.matches() ? form.group(1) : key;
    }

    private static TreeMap<String, Set<String>> places(Words words) {
        TreeMap<String, Set<String>> places = new TreeMap<>();
        words.messages().stringPropertyNames().forEach(key -> {
            Set<String> own = PLACE.matcher(words.get(key))
                    .results()
                    .map(match -> match.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> other = places.putIfAbsent(base(key), own);
            assertThat(other == null ? own : other).as(key).isEqualTo(own);
        });
        return places;
    }

    @Test
    void eachMessageExistsInEachLanguageWithTheSameArguments() {
        assertThat(places(RU)).isEqualTo(places(EN));
        assertThat(places(EN)).hasSizeGreaterThan(150);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void eachMessageWithANumberHasAllForms(Language language) {
        List<String> forms = language == Language.EN ? List.of("one", "other") : List.of("one", "few", "many");
        Set<String> keys = new Words(language).messages().stringPropertyNames();
        for (String key : keys) {
            if (FORM.matcher(key).matches()) {
                for (String form : forms) {
                    assertThat(keys).contains(base(key) + "." + form);
                }
                assertThat(keys).doesNotContain(base(key));
                assertThat(forms).contains(key.substring(key.lastIndexOf('.') + 1));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, many",
        "1, one",
        "2, few",
        "4, few",
        "5, many",
        "11, many",
        "12, many",
        "14, many",
        "20, many",
        "21, one",
        "22, few",
        "25, many",
        "100, many",
        "101, one",
        "104, few",
        "111, many",
        "112, many",
        "1001, one",
        "1012, many"
    })
    void russianHasThreeForms(long number, String form) {
        assertThat(Language.RU.form(number)).isEqualTo(form);
    }

    @Test
    void englishHasTwo() {
        assertThat(List.of(Language.EN.form(0), Language.EN.form(1), Language.EN.form(2), Language.EN.form(21)))
                .containsExactly("other", "one", "other", "other");
    }

    @Test
    void nounsAgreeWithTheirNumbers() {
        Phrase cores = Phrase.of("machine.cores");
        assertThat(List.of(RU.say(cores.counted(1)), RU.say(cores.counted(2)), RU.say(cores.counted(48))))
                .containsExactly("1 ядро", "2 ядра", "48 ядер");
        assertThat(List.of(EN.say(cores.counted(1)), EN.say(cores.counted(2)))).containsExactly("1 core", "2 cores");
        assertThat(RU.say(Phrase.of("times").counted(444))).isEqualTo("444 раза");
        assertThat(RU.say(Phrase.of("times").counted(120))).isEqualTo("120 раз");
        assertThat(RU.say(Phrase.of("times.fraction").with("factor", Value.number(2.449))))
                .isEqualTo("2,45 раза");
    }

    @Test
    void numbersAreWrittenAsInTheLanguage() {
        assertThat(EN.numbers().fixed(12345.678, 1)).isEqualTo("12,345.7");
        assertThat(RU.numbers().fixed(12345.678, 1)).isEqualTo("12\u00a0345,7");
        assertThat(EN.numbers().percent(0.123, -1)).isEqualTo("12\u00a0%");
        assertThat(RU.numbers().percent(0.0123, -1)).isEqualTo("1,2\u00a0%");
        assertThat(RU.numbers().percent(-0.5, 0)).isEqualTo("−50\u00a0%");
        assertThat(EN.numbers().time(1_234_567)).isEqualTo("1.23\u00a0ms");
        assertThat(RU.numbers().time(1_234_567)).isEqualTo("1,23\u00a0мс");
        assertThat(EN.numbers().time(640_000)).isEqualTo("640\u00a0µs");
        assertThat(EN.numbers().time(999_999)).isEqualTo("1.00\u00a0ms");
        assertThat(EN.numbers().time(30e9)).isEqualTo("30\u00a0s");
        assertThat(EN.numbers().time(12)).isEqualTo("12\u00a0ns");
        assertThat(RU.numbers().bytes(1.5 * (1 << 20))).isEqualTo("1,5\u00a0МиБ");
        assertThat(EN.numbers().bytes(64L << 30)).isEqualTo("64.0\u00a0GiB");
        assertThat(EN.numbers().millis(12_340_000)).isEqualTo("12.3");
        assertThat(EN.numbers().number(Double.NaN)).isEqualTo(Numbers.NONE);
        assertThat(EN.numbers().time(Double.NaN)).isEqualTo(Numbers.NONE);
    }

    /// A ratio of rounds that reaches so far says no more than that.
    @Test
    void changesAreBoundedByWhatARatioCanMean() {
        assertThat(EN.say(new Value.Change(20_026_588_169_044.78, 0))).isEqualTo("more than 10x");
        assertThat(RU.say(new Value.Change(20_026_588_169_044.78, 0))).isEqualTo("×10 и больше");
        assertThat(EN.say(new Value.Change(-0.99999, 0))).isEqualTo("below −90\u00a0%");
        assertThat(EN.say(new Value.Change(Math.expm1(Math.log(10)), 0))).isEqualTo("+900\u00a0%");
        assertThat(EN.say(new Value.Change(Math.expm1(-Math.log(10)), 0))).isEqualTo("−90\u00a0%");
        assertThat(EN.say(new Value.Change(0.123, 1))).isEqualTo("+12.3\u00a0%");
    }

    @Test
    void aMarginIsAFactorWhereBothWaysDiffer() {
        assertThat(EN.say(new Value.Margin(1))).isEqualTo("2x");
        assertThat(EN.say(new Value.Margin(0.5))).isEqualTo("1.5x");
        assertThat(EN.say(new Value.Margin(0.25))).isEqualTo("1.25x");
        assertThat(EN.say(new Value.Margin(0.1))).isEqualTo("10\u00a0%");
        assertThat(RU.say(new Value.Margin(1))).isEqualTo("2 раза");
        assertThat(RU.say(new Value.Margin(0.5))).isEqualTo("1,5 раза");
    }

    @Test
    void whatStandsInASentenceIsNotReadAsASentence() {
        Phrase name = Phrase.of("gap.failed").with("steps", "{reason} $1 \\");

        assertThat(EN.say(name)).isEqualTo("failed: {reason} $1 \\");
        assertThatThrownBy(() -> EN.say(Phrase.of("gap.failed"))).hasMessageContaining("has no argument steps");
        assertThatThrownBy(() -> EN.get("nothing")).hasMessageContaining("no message 'nothing'");
    }

    /// Keys stand in the code as they are, or as the beginning of a key: "part.".
    @Test
    void theCodeAsksForWhatThereIsAndForAllOfIt() throws IOException {
        Set<String> keys = EN.messages().stringPropertyNames().stream()
                .map(WordsTest::base)
                .collect(Collectors.toSet());
        Set<String> literals = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                Pattern.compile("\"([a-zA-Z][\\w.]*)\"")
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(match -> literals.add(match.group(1)));
            }
        }
        Pattern.compile("\\{\\{([\\w.]+)}}")
                .matcher(Files.readString(Path.of("src/main/resources/kvant/report/page/page.html")))
                .results()
                .forEach(match -> literals.add(match.group(1)));
        for (Class<?> kind : Remark.class.getPermittedSubclasses()) {
            String key = "remark." + RecordJson.kind(kind);
            boolean quotes = Stream.of(kind.getRecordComponents())
                    .anyMatch(one ->
                            Set.of("reason", "lastWords").contains(one.getName()) && one.getType() == String.class);
            assertThat(keys).contains(key);
            assertThat(keys.contains(key + ".bare")).as(key + ".bare").isEqualTo(quotes);
            literals.addAll(quotes ? List.of(key, key + ".bare") : List.of(key));
        }
        literals.remove("remark."); // a message of no kind is not asked for
        Set<String> families =
                keys.stream().map(key -> key.replaceAll("\\..*", "")).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (String literal : literals) {
            boolean looksLikeKey = literal.matches("[a-z]\\w*(\\.\\w+)+")
                    && families.contains(literal.replaceAll("\\..*", ""))
                    && !literal.matches(".*\\.(json|html|md|js|css)");
            if (looksLikeKey && !keys.contains(literal)) {
                unknown.add(literal);
            }
        }
        assertThat(unknown).isEmpty();
        List<String> unused = keys.stream()
                .filter(key -> !literals.contains(key))
                .filter(key -> literals.stream().noneMatch(start -> start.endsWith(".") && key.startsWith(start)))
                .filter(key -> !key.startsWith("chart."))
                .toList();
        assertThat(unused).isEmpty();
    }
}
