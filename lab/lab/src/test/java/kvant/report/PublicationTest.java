package kvant.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.report.words.Words.Language;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Publication of a run among a project's documents: few small files, without paths of a machine.
class PublicationTest {

    @TempDir
    Path folder;

    private Path destination() {
        return folder.resolve("docs/results/e");
    }

    private static String html(Path folder) throws IOException {
        return Files.readString(folder.resolve("report.html"));
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void onePageThatStandsAloneAndItsJsonAreThereAndNothingElse() throws IOException {
        Path run = StudyFixture.rich(folder.resolve("run")).write();

        Study.publish(run, destination(), Language.list("ru"), -1);

        assertThat(destination().toFile().list())
                .containsExactlyInAnyOrder("report.html", "report.json", "report.ru.html");
        assertThat(run.resolve("report.html")).doesNotExist();
        assertThat(bytes(destination())).isLessThan(700_000);
    }

    @Test
    void thePageLeadsToNoFlameGraphAndSaysHowToGetThem() throws IOException {
        Path run = StudyFixture.rich(folder.resolve("run")).write();
        Study.publish(run, destination(), List.of(Language.EN), -1);

        assertThat(html(destination()))
                .doesNotContain("./profiles/", "(no flame graph)", "Flame graphs side by side", "The links lead into")
                .contains("Flame graphs are not part of a published page", "LinkedBlockingQueue.take");
        Study.report(run, List.of(Language.EN));
        assertThat(html(run))
                .contains("./profiles/async-put/cpu.html", "The links lead into", "(no flame graph)")
                .doesNotContain("not part of a published page");
    }

    @Test
    void noFolderOfAMachineIsTold() throws IOException {
        StudyFixture fixture = StudyFixture.rich(folder.resolve("run"))
                .warning("variant x: cannot read /srv/somebody/kvant/peer.jar, see http://127.0.0.1:80/v0/entity")
                .step("async", "get", 9, "failed", "cannot create /tmp/kvant-lab-1/09-async-get/data: disk full")
                .partial("stopped: " + folder.toAbsolutePath().resolve("run"));
        Study.publish(fixture.write(), destination(), Language.list("ru"), -1);

        for (String name : destination().toFile().list((_, name) -> name.startsWith("report"))) {
            assertThat(destination().resolve(name))
                    .content()
                    .doesNotContain("/srv/", "/tmp/", folder.toString())
                    .contains("…/peer.jar", "http://127.0.0.1:80/v0/entity");
        }
        assertThat(html(destination())).contains("…/data: disk full", "stopped: …/run");
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws IOException {
        Path run = StudyFixture.rich(folder.resolve("run")).write();
        Files.createDirectories(destination());
        Files.writeString(destination().resolve("mine.txt"), "mine");

        assertThatThrownBy(() -> Study.publish(run, destination(), List.of(Language.EN), -1))
                .isInstanceOf(UserException.class)
                .hasMessage(destination() + " is not empty: choose a new folder to publish into");
        assertThat(destination().toFile().list()).containsExactly("mine.txt");
        assertThat(destination().resolve("mine.txt")).hasContent("mine");
    }

    /// Each link of the page, relative to it.
    private static List<String> links(String html) {
        return Pattern.compile("href=\"\\./([^\"]+)\"")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }

    @Test
    void flameGraphsGoAlongWhereTheyAreAskedFor() throws IOException {
        Path run = StudyFixture.rich(folder.resolve("run")).write();
        Study.publish(run, destination(), Language.list("ru"), 1 << 20);

        assertThat(links(html(destination())))
                .contains("profiles/async-put/cpu.html", "profiles/diff-sync-async-put-cpu.html")
                .allSatisfy(link -> assertThat(destination().resolve(link)).hasSameBinaryContentAs(run.resolve(link)));
        assertThat(html(destination())).contains("The links lead into").doesNotContain("not part of a published page");
        try (Stream<Path> files = Files.walk(destination())) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .as("no recordings, logs or figures")
                    .allMatch(name -> name.endsWith(".html") || name.equals("report.json"));
        }
    }

    @Test
    void flameGraphsThatAreTooLargeAreRefusedBeforeAnythingIsWritten() throws IOException {
        Path run = StudyFixture.rich(folder.resolve("run")).write();
        Files.write(run.resolve("profiles/sync-put/cpu.html"), new byte[3 << 20]);

        assertThatThrownBy(() -> Study.publish(run, destination(), List.of(Language.EN), 2 << 20))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("the flame graphs of " + run + " have 3")
                .hasMessageContaining("2")
                .hasMessageEndingWith("are published ('--flames-at-most')");
        assertThat(destination()).doesNotExist();
        Study.publish(run, destination(), List.of(Language.EN), 4 << 20);
        assertThat(destination().resolve("profiles/sync-put/cpu.html")).hasSize(3 << 20);
    }
}
