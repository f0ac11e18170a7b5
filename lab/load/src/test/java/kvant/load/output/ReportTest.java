package kvant.load.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import kvant.load.compare.Comparison;
import kvant.load.compare.FailureDifference;
import kvant.load.compare.Sample;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.search.Objective;
import kvant.load.search.RateSearch;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ReportTest {

    @TempDir
    private static Path folder;

    private static RunResult result;

    @BeforeAll
    static void runOnce() throws IOException {
        try (TestServer server = TestServer.start(
                        exchange -> exchange.answer(exchange.number() % 10 == 0 ? 503 : 200, new byte[3]));
                HistogramFiles.Log log = new HistogramFiles.Log(folder.resolve("r.hlog"))) {
            Pace pace = Pace.open(400, Duration.ofMillis(1050)).with(p -> p.window = Duration.ofMillis(100));
            LoadPlan plan = LoadPlan.of(
                    Target.parse(server.url()),
                    Workload.named("a").with(w -> w.keys = 100),
                    Clients.defaults().withConnections(8),
                    pace);
            result = LoadRun.run(plan, new StopSwitch(), new Progress() {
                @Override
                public void interval(Histogram response, long fromNanos, long lengthNanos) {
                    log.interval(response, fromNanos, lengthNanos);
                }
            });
        }
    }

    /// The result as a file, and valid whatever this machine does meanwhile.
    private static String text() {
        return ResultFile.text(LoadResult.of(result))
                .replaceFirst("\"validity\": \"\\w+\"", "\"validity\": \"valid\"")
                .replaceFirst("\"validityReason\": \".*\"", "\"validityReason\": \"\"");
    }

    private static Map<?, ?> parsed(String json) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(json);
    }

    @Test
    void theSummaryHasWhatUsersOfWrk2LookFor() {
        StringWriter text = new StringWriter();
        new Summary(new PrintWriter(text), new TerminalColours(false)).print(result, true);

        assertThat(text.toString())
                .contains("Running 1.05s test @ http://127.0.0.1:")
                .contains("1 threads and 8 connections, depth 1, 400 requests/s, uniform")
                .contains("99.999%", "100.000%", "Response     Service", "Send lag")
                .contains("420 requests answered in ")
                .contains("Statuses: 200 x 378, 503 x 42")
                .contains("Errors: 42 of 420 requests (42 of an unexpected status: 503)")
                .contains("Detailed percentile spectrum", "#[Max     =", "Requests/sec:")
                .contains("  get ", "  put ")
                .doesNotContain("\u001b");
    }

    @Test
    void errorsAreRedOnATerminal() {
        StringWriter text = new StringWriter();
        new Summary(new PrintWriter(text), new TerminalColours(true)).print(result, false);

        assertThat(text.toString()).contains("\u001b[31;1mErrors: 42");
    }

    @Test
    void jsonIsJsonAndAddsUp() {
        Map<?, ?> json = parsed(text());
        Map<?, ?> requests = (Map<?, ?>) json.get("requests");

        assertThat(json.get("schema")).isEqualTo("kvant-load/1");
        assertThat(json.get("complete")).isEqualTo(true);
        assertThat(requests.get("due")).isEqualTo(420);
        assertThat(requests.get("answered")).isEqualTo(420);
        assertThat(requests.get("errors")).isEqualTo(42);
        assertThat(json.get("statuses")).isEqualTo(Map.of("200", 378, "503", 42));
        Map<?, ?> latency = (Map<?, ?>) json.get("latency");
        assertThat(((Map<?, ?>) latency.get("acceptedResponse")).get("count")).isEqualTo(378);
        assertThat(((Map<?, ?>) latency.get("acceptedService")).get("count")).isEqualTo(378);
        assertThat(((Map<?, ?>) latency.get("refusedService")).get("count")).isEqualTo(42);
        List<?> windows = (List<?>) json.get("windows");
        assertThat(windows).hasSizeBetween(11, 13);
        assertThat((List<?>) windows.getFirst()).hasSameSizeAs((List<?>) json.get("windowColumns"));
        assertThat((List<?>) json.get("blocks")).hasSize(10);
    }

    @Test
    void aResultIsReadBackForAComparison() throws IOException {
        Path file = Files.writeString(folder.resolve("r.json"), text());
        Sample sample = Sample.read(file);

        assertThat(sample.units()).hasSize(10);
        assertThat(sample.units().stream().mapToLong(Histogram::getTotalCount).sum())
                .isEqualTo(420);
        assertThat(sample.rates()).hasSize(10);
        assertThat(sample.failures()).hasSize(10);
        assertThat(sample.failures().stream()
                        .mapToLong(FailureDifference.Unit::due)
                        .sum())
                .isEqualTo(420);
        assertThat(sample.failures().stream()
                        .mapToLong(FailureDifference.Unit::failed)
                        .sum())
                .isEqualTo(42);
        Comparison comparison = Comparison.of(sample, sample, 0.95);
        assertThat(comparison.verdict()).matches("(No difference of 10 % or more|Underpowered) in requests/s.*");
        StringWriter text = new StringWriter();
        CompareReport.print(new PrintWriter(text), new TerminalColours(false), comparison);
        assertThat(text.toString())
                .contains("p99 ", comparison.verdict())
                .containsPattern("errors +10.0000% +10.0000% +[+]0.0000 +-[0-9.]+ to [+][0-9.]+  underpowered");
        assertThat(parsed(CompareReport.json(comparison)).get("schema")).isEqualTo("kvant-compare/2");
        Map<?, ?> failures = (Map<?, ?>) parsed(CompareReport.json(comparison)).get("failures");
        assertThat(((Number) failures.get("aPercent")).doubleValue()).isEqualTo(10);
        assertThat(((Number) failures.get("lowPoints")).doubleValue()).isNegative();
        assertThat(failures.get("verdict")).isEqualTo("underpowered");
    }

    @Test
    void aFileThatIsNoResultIsOneLine() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"a\": ");
        Path cut = Files.writeString(
                folder.resolve("cut.json"),
                "{\"schema\": \"kvant-load/1\", \"blocks\": [\"AAAA\"],"
                        + " \"requests\": {\"due\": 1, \"errors\": 0}}");
        assertThatThrownBy(() -> Sample.read(other))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not a result");
        assertThatThrownBy(() -> Sample.read(broken))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not JSON");
        assertThatThrownBy(() -> Sample.read(cut))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("histogram");
        assertThatThrownBy(() -> Sample.read(folder.resolve("none.json")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no such file");
        Path binary = Files.write(folder.resolve("binary.json"), new byte[] {'{', (byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> Sample.read(binary))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith("not text in UTF-8");
        Path list = Files.writeString(folder.resolve("list.json"), "[".repeat(200_000));
        assertThatThrownBy(() -> Sample.read(list))
                .isInstanceOf(UserException.class)
                .hasMessage(list + " is not a result of 'kvant load': it holds no JSON object");
        for (String level : new String[] {"[", "{\"a\":"}) {
            Path deep = Files.writeString(folder.resolve("deep.json"), "{\"a\":" + level.repeat(200_000));
            assertThatThrownBy(() -> Sample.read(deep))
                    .isInstanceOf(UserException.class)
                    .hasMessageEndingWith("nested too deeply");
        }
    }

    @Test
    void runsThatWereNotAskedTheSameAreRefused() throws IOException {
        String json = text();
        Sample one = Sample.read(Files.writeString(folder.resolve("one.json"), json));
        Sample other = Sample.read(Files.writeString(
                folder.resolve("other.json"), json.replace("\"values\": \"100\"", "\"values\": \"4KiB\"")));
        assertThatThrownBy(() -> Comparison.of(one, other, 0.95))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot compare one.json with other.json: A and B were not asked the same,"
                        + " values: 100 bytes against 4KiB bytes");
        assertThat(Comparison.of(one, one, 0.95).verdict()).doesNotContain("asked the same");
        Sample invalid = Sample.read(Files.writeString(
                folder.resolve("invalid.json"),
                json.replaceFirst("\"validity\": \"\\w+\"", "\"validity\": \"invalid\"")
                        .replaceFirst("\"validityReason\": \".*\"", "\"validityReason\": \"late\"")));
        assertThatThrownBy(() -> Comparison.of(one, invalid, 0.95))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot compare one.json with invalid.json: invalid.json is invalid: late");
    }

    @Test
    void histogramToolsReadTheLog() throws IOException {
        long count = 0;
        long max = 0;
        int intervals = 0;
        try (HistogramLogReader reader =
                new HistogramLogReader(folder.resolve("r.hlog").toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                Histogram interval = (Histogram) next;
                count += interval.getTotalCount();
                max = Math.max(max, interval.getMaxValue());
                intervals++;
            }
        }
        assertThat(count).isEqualTo(420);
        assertThat(max).isEqualTo(result.totals().response().getMaxValue());
        assertThat(intervals).isBetween(11, 13);
    }

    @Test
    void thePercentileFileIsThatOfTheLibrary() {
        assertThat(HistogramFiles.hgrm(result.totals().response()))
                .contains("Value     Percentile TotalCount 1/(1-Percentile)", "#[Max     =", "420");
    }

    private static void assertDrawn(String svg, int curves) throws Exception {
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(curves);
        assertThat(svg).doesNotContain("NaN", "Infinity");
        for (int i = 0; i < curves; i++) {
            String points = document.getElementsByTagName("polyline")
                    .item(i)
                    .getAttributes()
                    .getNamedItem("points")
                    .getNodeValue();
            double before = Double.NEGATIVE_INFINITY;
            for (String point : points.split(" ")) {
                double x = Double.parseDouble(point.split(",")[0]);
                double y = Double.parseDouble(point.split(",")[1]);
                assertThat(x).isBetween(0.0, 900.0).isGreaterThanOrEqualTo(before);
                assertThat(y).isBetween(0.0, 520.0);
                before = x;
            }
        }
    }

    @Test
    void thePictureHasACurvePerSeries() throws Exception {
        String svg = Chart.percentiles(
                "A & <B>",
                List.of(
                        new Chart.Series("response", result.totals().response()),
                        new Chart.Series("service", result.totals().service()),
                        new Chart.Series("nothing", new Histogram(3))));
        assertDrawn(svg, 2);
        assertThat(svg).contains("A &amp; &lt;B&gt;", "99.9%");
        assertDrawn(Chart.percentiles("empty", List.of()), 0);
        Histogram one = new Histogram(3);
        one.recordValue(5);
        assertDrawn(Chart.percentiles("one", List.of(new Chart.Series("one", one))), 1);
    }

    private static RateSearch.Probe probe(double rate, double achieved, long nanos, RateSearch.Finding finding) {
        return new RateSearch.Probe(rate, achieved, 5000, 100_000, 1_000_000, nanos, 0, 3_000_000, finding);
    }

    @Test
    void aSearchForARateIsReportedInAllForms() throws Exception {
        RateSearch.Outcome outcome = new RateSearch.Outcome(
                new Objective(99.9, 10_000_000),
                1000,
                "1100/s does not hold it",
                List.of(
                        probe(1000, 999, 5_000_000, RateSearch.Finding.HOLDS),
                        probe(1100, 900, Objective.NEVER, RateSearch.Finding.TOO_MANY_FAILED),
                        probe(1200, 900, 5_000_000, RateSearch.Finding.RATE_MISSED),
                        probe(1300, 1300, 25_000_000, RateSearch.Finding.TOO_SLOW),
                        probe(1400, 1400, 25_000_000, RateSearch.Finding.GENERATOR_TOO_SLOW),
                        probe(1500, 1500, 25_000_000, RateSearch.Finding.TOO_FEW),
                        new RateSearch.Probe(1600, 0, 0, 0, 0, Objective.NEVER, 0, 0, RateSearch.Finding.TOO_FEW)),
                "");
        StringWriter text = new StringWriter();
        RateReport.print(new PrintWriter(text), outcome);

        assertThat(text.toString()).contains("Highest rate that holds p99.9=10ms: 1000/s", "never", "holds");
        assertThat(text.toString())
                .contains(
                        "fails: more requests failed than p99.9 leaves out",
                        "fails: 75.0 % of the rate",
                        "fails: p99.9 is above 10.00ms",
                        "generator too slow: late by 3.00ms at p99",
                        "not judged: 5000 requests are too few for p99.9")
                .containsPattern(" +1600 +0 +- +- +never +0.000%  not judged: 0 requests");
        Map<?, ?> json = parsed(RateReport.json(outcome));
        assertThat(json.get("rate")).isEqualTo(1000);
        Map<?, ?> nothing = (Map<?, ?>) ((List<?>) Objects.requireNonNull(json.get("probes"))).getLast();
        assertThat(nothing.get("p99Nanos")).as("a percentile of nothing").isNull();
        assertThat(nothing.get("finding")).isEqualTo("too_few");
        assertDrawn(Chart.rates(outcome), 2);
    }
}
