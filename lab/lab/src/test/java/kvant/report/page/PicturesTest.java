package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import kvant.report.Study;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.words.Words.Language;
import kvant.text.browser.Browser;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The beginning of a report on a phone and in a wide window, in both languages and both schemes.
/// `docs/img/screenshots` takes the pictures that it leaves in `target/screenshots`.
class PicturesTest {

    private static final Path PICTURES = Path.of("target/screenshots");

    /// A folder with `report.html` and `report.ru.html`; a synthetic report by default.
    private static final String REPORT = System.getProperty("kvant.picture.report", "");

    private static final int PHONE = 360;
    private static final int HEIGHT = 1000;

    /// As far down as the first verdict.
    private static final int PICTURE = 1500;

    private static final String SCROLLS = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

    @TempDir
    private static Path made;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path profile;

    private static Path report = Path.of(REPORT);
    private static Optional<Browser> browser = Optional.empty();

    @BeforeAll
    static void start() throws IOException {
        Path executable = Tool.CHROMIUM.need();
        if (REPORT.isEmpty()) {
            Study.report(StudyFixture.rich(made).write(), Language.list("en,ru"));
            report = made;
        }
        browser = Optional.of(new Browser(executable, profile));
    }

    @AfterAll
    static void stop() {
        browser.ifPresent(Browser::close);
    }

    @ParameterizedTest
    @CsvSource({
        "report.html, 360, false, phone-light-en",
        "report.html, 360, true, phone-dark-en",
        "report.html, 1280, false, wide-light-en",
        "report.html, 1280, true, wide-dark-en",
        "report.ru.html, 360, false, phone-light-ru",
        "report.ru.html, 360, true, phone-dark-ru",
        "report.ru.html, 1280, false, wide-light-ru",
        "report.ru.html, 1280, true, wide-dark-ru"
    })
    void nothingScrollsSideways(String file, int width, boolean dark, String name) throws IOException {
        Browser page = browser.orElseThrow();
        page.open(report.resolve(file).toUri(), width, HEIGHT, width == PHONE, dark);
        Files.createDirectories(PICTURES);
        Files.write(PICTURES.resolve("report-" + name + ".png"), page.picture(PICTURE));

        assertThat(page.evaluate(SCROLLS).whole())
                .as("pixels beside the screen")
                .isZero();
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        page.awaitFrame();
        assertThat(page.evaluate(SCROLLS).whole()).as("with all that is folded").isZero();
        assertThat(page.evaluate("innerWidth").whole())
                .as("a phone makes room for what is wider")
                .isEqualTo(width);
    }

    /// Text on a canvas does not wrap, so it must be shortened.
    @Test
    void aLongTitleLeavesRoomForTheEventOnAPhone(@TempDir Path folder) throws IOException {
        String name = "a-way-with-very-many-words-in-its-name-that-no-phone-has-any-room-for";
        StudyFixture fixture = new StudyFixture(folder).variant(name).phase("put");
        fixture.step(name, "put", 1, SyntheticLoad.of(1, 1)).samples(name, "put", 1);
        Study.report(fixture.write(), List.of(Language.EN));
        Browser page = browser.orElseThrow();
        page.open(folder.resolve("report.html").toUri(), PHONE, HEIGHT, true, false);
        page.evaluate("""
                (() => {
                  const { fillText } = CanvasRenderingContext2D.prototype;
                  window.lanes = [];
                  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                    if (text.includes(" · ")) {
                      window.lanes.push(text + (x + this.measureText(text).width > this.canvas.width ? " BEYOND" : ""));
                    }
                    fillText.call(this, text, x, y);
                  };
                })()
                """);
        page.screen(PHONE, HEIGHT, true, true); // the other scheme is drawn again
        page.awaitFrame();

        assertThat(page.evaluate("window.lanes").texts())
                .isNotEmpty()
                .allMatch(text -> text.matches("the a-way-with-very-many.*… · (flush|compaction|GC) · \\d"));
        assertThat(page.errors()).isEmpty();
    }
}
