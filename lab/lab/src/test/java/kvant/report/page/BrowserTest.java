package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.words.Words.Language;
import kvant.text.JsonValue;
import kvant.text.browser.Browser;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The report in a real browser, where there is one. Pictures of the pages are left in `target/screenshots`.
class BrowserTest {

    private static final Path PICTURES = Path.of("target/screenshots");

    /// The number of points of each canvas in the colours of the first three variants, in both schemes.
    private static final String SEEN = """
            (() => {
              const wanted = ["--v0", "--v1", "--v2"].map(name => {
                const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
                return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
              });
              return [...document.querySelectorAll(".plot canvas")].map(canvas => {
                const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
                const seen = [0, 0, 0];
                for (let i = 0; i < data.length; i += 4) {
                  if (data[i + 3] < 128) continue;
                  wanted.forEach((rgb, k) => {
                    if (rgb.every((part, j) => Math.abs(part - data[i + j]) < 32)) seen[k]++;
                  });
                }
                return seen;
              });
            })()
            """;

    @TempDir
    private static Path folder;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path profile;

    private static Optional<Browser> browser = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        Path executable = Tool.CHROMIUM.need();
        Study.report(StudyFixture.rich(folder).write(), Language.list("en,ru"));
        browser = Optional.of(new Browser(executable, profile));
    }

    @AfterAll
    static void stop() {
        browser.ifPresent(Browser::close);
    }

    @ParameterizedTest
    @CsvSource({
        "report.html, 1200, false, false, wide-light",
        "report.html, 360, true, true, phone-dark",
        "report.ru.html, 360, true, false, phone-light-ru",
        "report.ru.html, 1200, false, true, wide-dark-ru"
    })
    void chartsAreDrawnAndThePageFits(String file, int width, boolean phone, boolean dark, String name)
            throws IOException {
        Browser page = browser.orElseThrow();
        page.open(folder.resolve(file).toUri(), width, 800, phone, dark);

        assertThat(page.errors()).isEmpty();
        assertThat(page.requests()).isEmpty();
        List<JsonValue> canvases = page.evaluate(SEEN).list();
        assertThat(canvases).hasSize(2 * 3 + 2); // latency, its course, rate; of puts also CPU and events
        assertThat(Arrays.stream(canvases.getFirst().numbers()).min().orElse(0))
                .as("points of the variant that has the fewest")
                .isGreaterThan(50);
        for (JsonValue canvas : canvases) { // rates are alike: the last line hides the others
            assertThat(Arrays.stream(canvas.numbers()).sum()).isGreaterThan(100);
        }
        assertThat(page.evaluate("innerWidth").whole()).isEqualTo(width);
        assertThat(page.evaluate("document.documentElement.scrollWidth").whole())
                .as("nothing scrolls sideways but the tables in their boxes")
                .isLessThanOrEqualTo(width);
        assertThat(page.evaluate("Math.min(...[...document.querySelectorAll('.plot')].map(one => one.clientWidth))")
                        .number())
                .isGreaterThan(0.85 * Math.min(width, 900));
        Files.createDirectories(PICTURES);
        Files.write(PICTURES.resolve(name + ".png"), page.picture());
    }

    @Test
    void theCursorShowsValuesByPointerAndByKeys() {
        Browser page = browser.orElseThrow();
        page.open(folder.resolve("report.html").toUri(), 1000, 800, false, false);
        String legend = "document.querySelector('.legend').textContent";
        assertThat(page.evaluate(legend).text()).contains("async").doesNotContain(":");

        page.evaluate("document.querySelector('.plot').focus()");
        page.key("End");
        page.key("ArrowLeft");

        assertThat(page.evaluate(legend).text())
                .containsPattern("async way: [\\d.,]+.ms \\([\\d.,]+–[\\d.,]+\\).*99\\.\\d+");
        assertThat(page.errors()).isEmpty();
    }

    /// The chart is drawn once more, while what is drawn onto it is noted.
    @Test
    void theLabelOfTheObjectiveStandsAtItsLine() {
        Browser page = browser.orElseThrow();
        page.open(folder.resolve("report.html").toUri(), 1000, 800, false, false);
        double[] places = page.evaluate("""
                new Promise(done => {
                  const canvas = CanvasRenderingContext2D.prototype;
                  const { lineTo, fillText } = canvas;
                  const ends = [];
                  canvas.lineTo = function (x, y) { ends.push(y); lineTo.call(this, x, y); };
                  canvas.fillText = function (text, x, y) {
                    if (text.startsWith("objective")) done([ends.at(-2), y]);
                    fillText.call(this, text, x, y);
                  };
                  document.querySelector(".legend button").click();
                })
                """).numbers();

        assertThat(places).hasSize(2);
        assertThat(Math.abs(places[0] - places[1])).isLessThanOrEqualTo(20);
    }

    @Test
    void aVariantCanBeHiddenAndFlameGraphsOpenBesideEachOther() {
        Browser page = browser.orElseThrow();
        page.open(folder.resolve("report.html").toUri(), 1000, 800, false, false);
        page.evaluate("document.querySelector('.legend button').click()");
        page.evaluate("document.querySelector('.flames button').click()");

        double[] seen = page.evaluate(
                        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done("
                                + SEEN.strip() + "))))")
                .list()
                .getFirst()
                .numbers();
        assertThat(seen[0]).isLessThan(20);
        assertThat(seen[1]).isGreaterThan(50);
        assertThat(page.evaluate("[...document.querySelectorAll('iframe')].map(one => one.src)")
                        .texts())
                .hasSize(2)
                .allMatch(source -> source.endsWith("-put/cpu.html"));
        assertThat(page.requests()).isEmpty();
    }

    @Test
    void aNameThatIsAScriptIsNotRun() throws IOException {
        Path evil = Files.createDirectory(folder.resolve("evil"));
        String name = "<img src=x onerror=window.hit=1></script><script>window.hit=1</script>";
        StudyFixture fixture =
                new StudyFixture(evil).title(name).variant("sync").phase("put").warning(name);
        fixture.question(name, name, "", "p50", "sync", name)
                .partial(name)
                .step("sync", "put", 1, SyntheticLoad.of(1, 1));
        Study.report(fixture.write(), List.of(Language.EN));
        Browser page = browser.orElseThrow();
        page.open(evil.resolve("report.html").toUri(), 800, 600, false, false);

        assertThat(page.evaluate("window.hit === undefined").flag()).isTrue();
        assertThat(page.evaluate("document.querySelector('h1').textContent").text())
                .isEqualTo(name);
        assertThat(page.errors()).isEmpty();

        // Even if a name came through unescaped, the policy of the page would not let it run.
        String leaky = Files.readString(evil.resolve("report.html")).replace("<main>", "<main>" + name);
        page.open(Files.writeString(evil.resolve("leaky.html"), leaky).toUri(), 800, 600, false, false);
        assertThat(page.evaluate("window.hit === undefined").flag()).isTrue();
        assertThat(page.errors()).isNotEmpty();
    }
}
