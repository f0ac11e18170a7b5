package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabReportCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void writesTheFilesAndNamesThem() throws IOException {
        Files.writeString(folder.resolve("run.json"), "{\"schema\": \"kvant-lab/1\", \"status\": \"complete\"}");

        assertThat(run("lab", "report", folder.toString(), "--lang", "en,ru")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        folder + "/report.html",
                        folder + "/report.md",
                        folder + "/report.ru.html",
                        folder + "/report.ru.md",
                        folder + "/report.json")
                .allMatch(name -> Files.exists(Path.of(name)));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void publishesIntoANewFolderAlone() throws IOException {
        Files.writeString(folder.resolve("run.json"), "{\"schema\": \"kvant-lab/1\", \"status\": \"complete\"}");
        Path destination = folder.resolve("published");

        assertThat(run("lab", "report", folder.toString(), "--publish", destination.toString()))
                .isZero();
        assertThat(destination.toFile().list()).containsExactlyInAnyOrder("report.html", "report.json");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("run.json", "published");

        assertThat(run("lab", "report", folder.toString(), "--publish", destination.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("published is not empty").hasLineCount(1);
    }

    @Test
    void flameGraphsArePublishedWithinABound() throws IOException {
        Files.writeString(folder.resolve("run.json"), """
                {"schema": "kvant-lab/1", "status": "complete", "variants": [{"name": "a"}],
                 "phases": [{"name": "put"}]}
                """);
        Path graphs = Files.createDirectories(folder.resolve("profiles/a-put"));
        Files.writeString(graphs.resolve("cpu.html"), "x".repeat(3000));
        Files.writeString(
                graphs.resolve("profile.json"),
                "{\"events\": [{\"event\": \"cpu\", \"samples\": 9, \"html\": \"cpu.html\", \"top\": []}]}");
        String destination = folder.resolve("published").toString();

        assertThat(run("lab", "report", folder.toString(), "--flames")).isEqualTo(2);
        assertThat(err.toString()).contains("'--flames' needs '--publish'");
        assertThat(run("lab", "report", folder.toString(), "--flames-at-most", "5MiB"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'--flames-at-most' needs '--flames'");
        assertThat(run(
                        "lab",
                        "report",
                        folder.toString(),
                        "--publish",
                        destination,
                        "--flames",
                        "--flames-at-most",
                        "2KiB"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("at most", "--flames-at-most");
        assertThat(folder.resolve("published")).doesNotExist();
        assertThat(run("lab", "report", folder.toString(), "--publish", destination, "--flames"))
                .isZero();
        assertThat(folder.resolve("published/profiles/a-put/cpu.html")).hasSize(3000);
    }

    @Test
    void aFolderWithoutResultsIsOneLine() {
        assertThat(run("lab", "report", folder.toString())).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("kvant: " + folder + " is not a folder of results: it has no run.json"
                        + System.lineSeparator());
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aWrongCommandLineIsRefused() {
        assertThat(run("lab", "report", folder.toString(), "--lang", "en,klingon"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("'--lang': 'klingon' is not one of en, ru")
                .hasLineCount(1);
        assertThat(run("lab", "report", folder.toString(), "--flames-at-most", "20 flames"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'--flames-at-most': '20 flames' is not a size, such as 4096");
        assertThat(run("lab", "report")).isEqualTo(2);
        assertThat(run("lab")).isEqualTo(2);
        assertThat(folder).isEmptyDirectory();
    }
}
