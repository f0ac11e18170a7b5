package kvant.report.sentence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.lab.result.Remark;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Frames.Concept;
import kvant.report.verdict.Metric;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Agreement;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.CpuDifference;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.PublishedFigures;
import kvant.report.verdict.Verdict.Unjudged;
import kvant.report.words.Phrase;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// No English in the Russian report: whatever kind of remark, verdict or caveat there is, only names, codes
/// and what is quoted keeps its letters.
class RussianTest {

    /// Words that are the same in both languages.
    private static final Set<String> CODES = Set.of(
            "JVM",
            "Debian",
            "JFR",
            "JIT",
            "CPU",
            "GC",
            "RSS",
            "Kvant",
            "kvant",
            "bench",
            "help",
            "PATH",
            "Request",
            "HTTP",
            "json",
            "html",
            "md",
            "lab",
            "report",
            "ru",
            "memtable",
            "JavaScript",
            "RocksDB");

    private static final Words RU = new Words(Language.RU);

    private static Set<String> english(String said) {
        Set<String> words = new TreeSet<>();
        Pattern.compile("[A-Za-z]{2,}").matcher(said).results().forEach(one -> words.add(one.group()));
        words.removeAll(CODES);
        return words;
    }

    private static void isRussian(Phrase phrase) {
        assertThat(english(RU.say(phrase))).as(RU.say(phrase)).isEmpty();
    }

    static Stream<Class<?>> remarks() {
        return Stream.of(Remark.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @MethodSource("remarks")
    void eachRemarkIsRussian(Class<?> kind) throws ReflectiveOperationException {
        for (String text : List.of("имя", "")) {
            for (long number : List.of(1, 2, 5)) {
                isRussian(Remarks.phrase(remark(kind, text, number)));
            }
        }
    }

    private static Remark remark(Class<?> kind, String text, long number) throws ReflectiveOperationException {
        RecordComponent[] components = kind.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = types[i] == String.class
                    ? text
                    : types[i] == List.class
                            ? List.of("имя", "имя")
                            : types[i] == Remark.class ? new Remark.StoppedBeforeItsEnd() : (Object) number;
        }
        return (Remark) kind.getDeclaredConstructor(types).newInstance(values);
    }

    @Test
    void whatIsQuotedIsMarkedAsAQuotation() {
        assertThat(RU.say(Remarks.phrase(new Remark.ServerEnded(1, "no such option"))))
                .isEqualTo("сервер завершился с кодом 1, не успев стать готовым: «no such option»");
        assertThat(Remarks.english(new Remark.ServerNotReady(2_000_000_000, "")))
                .isEqualTo("the server was not ready within 2 s");
    }

    @Test
    void eachKindOfVerdictIsRussian() {
        for (Outcome outcome : Outcome.values()) {
            for (Metric.Kind kind : Metric.Kind.values()) {
                for (double factor : new double[] {0.2, 0.9, 1, 1.1, 5, 200}) {
                    said(verdict(
                            outcome,
                            new Metric(kind, 99),
                            factor,
                            Basis.ROUNDS,
                            Agreement.SAME_DIRECTION,
                            Concept.LOCKS));
                }
            }
        }
        Metric p99 = new Metric(Metric.Kind.PERCENTILE, 99);
        for (Basis basis : Basis.values()) {
            said(verdict(Outcome.WORSE, p99, 2, basis, Agreement.SAME_DIRECTION, null));
        }
        for (Agreement agreement : Agreement.values()) {
            said(verdict(Outcome.WORSE, p99, 2, Basis.ROUNDS, agreement, null));
        }
        for (Concept concept : Concept.values()) {
            said(verdict(Outcome.SAME, p99, 2, Basis.ROUNDS, Agreement.SAME_DIRECTION, concept));
        }
    }

    private static void said(Verdict verdict) {
        isRussian(VerdictSentences.headline(verdict));
        isRussian(VerdictSentences.badge(verdict));
        VerdictSentences.details(verdict).forEach(RussianTest::isRussian);
    }

    private static Estimate estimate(double factor) {
        double change = factor - 1;
        return new Estimate(1000, 1000 * factor, change, change - 0.05, change + 0.1, 3, 3, Estimate.Unit.ROUND, 0);
    }

    /// More, fewer, the same, or open.
    private static ShareDifference failures(double factor) {
        double middle = factor >= 2 ? 0.3 : factor <= 0.5 ? -0.3 : 0;
        double half = factor == 1 ? 0.05 : 0.2;
        return new ShareDifference(
                0.5, 0.5 + middle, middle - half, middle + half, 3, Estimate.Unit.ROUND, factor == 1);
    }

    private static Verdict verdict(
            Outcome outcome, Metric metric, double factor, Basis basis, Agreement agreement, Concept concept) {
        Estimate estimate = estimate(factor);
        DifferenceRecord.Frame frame = new DifferenceRecord.Frame("кадр", 0.1, 0.2, 0.1);
        boolean counted = metric.kind() == Metric.Kind.ERRORS;
        Decided decided = new Decided(
                metric,
                2,
                3,
                basis,
                0.95,
                3,
                0.1,
                counted ? null : estimate,
                counted ? failures(factor) : null,
                factor > 1 ? 1 : factor < 1 ? -1 : 0,
                0.01,
                0.02,
                new CpuDifference("а", "б", 0.2, 0.1, frame, concept),
                new PublishedFigures(agreement, 1e6, 2e6, 22));
        return new Verdict("фаза", "", "а", "б", outcome, decided, null, List.of(), List.of());
    }

    @Test
    void eachReasonForNoVerdictAndEachCaveatIsRussian() {
        Metric metric = new Metric(Metric.Kind.CPU, Double.NaN);
        List<Unjudged> reasons = List.of(
                new Unjudged.UnknownMetric("красота"),
                new Unjudged.NothingToCompare(),
                new Unjudged.NoFigures(List.of("а", "б")),
                new Unjudged.NeverTogether(),
                new Unjudged.NotMeasured(metric));
        assertThat(reasons).hasSameSizeAs(Unjudged.class.getPermittedSubclasses());
        List<Remark> doubts = List.of(new Remark.GeneratorLate(1_000_000, 2_000_000), new Remark.GeneratorBusy(97));
        List<Caveat> caveats = new ArrayList<>(List.of(
                new Caveat.Invalid("шаг", doubts.get(0)),
                new Caveat.Doubtful("шаг", doubts.get(1)),
                new Caveat.Alone(2),
                new Caveat.Unstable("шаг"),
                new Caveat.Taken("шаг", 0.3),
                new Caveat.Host(2, 12, 1, 2, 0.1, true),
                new Caveat.HeldByGenerator(metric, estimate(1.3)),
                new Caveat.Disturbed(2, 12, true),
                new Caveat.Disturbed(1, 12, false),
                new Caveat.FewerRounds(1, 3),
                new Caveat.FailedRequests("а", 0.01, 2, 200),
                new Caveat.AcceptedAlone("а", metric, 1e6),
                new Caveat.UnlikeConnections(2, 3)));
        assertThat(caveats).hasSize(Caveat.class.getPermittedSubclasses().length); // one of them twice
        for (int n : List.of(1, 2, 5)) {
            caveats.add(new Caveat.Host(n, 12, n, 0, 0.1, true));
            caveats.add(new Caveat.Host(n, 12, 0, n, 0.125, false));
        }
        for (Caveat.Cause cause : Caveat.Cause.values()) {
            caveats.add(new Caveat.LeftOut("шаг", cause, new Remark.FailedInARow(2)));
        }
        for (Unjudged reason : reasons) {
            Verdict verdict = new Verdict("фаза", "", "а", "б", Outcome.UNKNOWN, null, reason, caveats, caveats);
            said(verdict);
            VerdictSentences.caveats(verdict).forEach(RussianTest::isRussian);
        }
    }

    /// Messages of other programs keep their language, as quotations.
    @Test
    void whatTheGeneratorSaysIsQuoted(@TempDir Path folder) throws IOException {
        StudyFixture fixture = new StudyFixture(folder).variant("sync").phase("put");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1).withPartial("interrupted at once"));
        Study.report(fixture.write(), Language.list("ru"));

        assertThat(Files.readString(folder.resolve("report.ru.md"))).contains("«interrupted at once»");
    }

    /// A page of names that are Russian has no English left. Names of variants are options, and stay.
    @Test
    void theWholePageIsRussian(@TempDir Path folder) throws IOException {
        StudyFixture fixture = StudyFixture.rich(folder);
        Study.report(fixture.write(), Language.list("ru"));
        String page = Files.readString(folder.resolve("report.ru.md"));
        String said = page.replaceAll("(?s)```.*?```", "") // commands
                .replaceAll("«[^»]*»", "") // quoted
                .replaceAll("`[^`]*`|\\]\\([^)]*\\)|<[^>]*>", ""); // names of files
        Set<String> left = english(said);

        left.removeIf(word -> List.of(FIXTURE_WORDS.split("\\W+")).contains(word));
        assertThat(left).isEmpty();
    }

    /// Names of variants, phases, events, options and frames, and what the machine is called.
    private static final String FIXTURE_WORDS = "sync async adaptive broken put get cpu alloc wall perf events tlab"
            + " Linux Debian OpenJDK UTC java lang Thread run util concurrent LinkedBlockingQueue take kvant server"
            + " http ResponseWriter write profiles runs KVANT JAVA OPTS Xmx XX UseSerialGC abcdef ab executor serve"
            + " lock Async quick processor highload example org reports";

    @Test
    void aTextInRussianIsShownInsteadOfTheEnglishOne(@TempDir Path folder) throws IOException {
        Study.report(StudyFixture.rich(folder).write(), Language.list("ru"));
        String russian = Files.readString(folder.resolve("report.ru.md"));
        String english = Files.readString(folder.resolve("report.md"));

        assertThat(english)
                .contains("Both ways of running requests", "the async way", "another machine", "“Two ways”, stage 3");
        assertThat(russian)
                .contains("Оба способа выполнять запросы", "способ async", "другая машина", "«Два способа», этап 3")
                .doesNotContain("Both ways", "the async way", "another machine");
    }
}
