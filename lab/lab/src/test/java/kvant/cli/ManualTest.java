package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Man pages and the completion of words, read by the programs that they are for.
@Timeout(120)
class ManualTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int execute(String... args) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private List<Path> pages() throws IOException {
        assertThat(execute("man", "--to", folder.resolve("man1").toString()))
                .as(err.toString())
                .isZero();
        try (Stream<Path> files = Files.list(folder.resolve("man1"))) {
            return files.sorted().toList();
        }
    }

    private String run(List<String> command) throws Exception {
        Path text = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(text.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(text, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @Test
    void eachCommandHasAPageWithAllItsOptions() throws IOException {
        List<String> names =
                pages().stream().map(page -> page.getFileName().toString()).toList();
        assertThat(names)
                .contains("kvant.1", "kvant-serve.1", "kvant-mirror-switch.1", "kvant-config-print.1")
                .doesNotContain("kvant-help.1");

        String serve = Files.readString(folder.resolve("man1/kvant-serve.1"));
        Main.commandLine()
                .getSubcommands()
                .get("serve")
                .getCommandSpec()
                .options()
                .forEach(option ->
                        assertThat(serve).contains("\\fB" + option.longestName().replace("-", "\\-") + "\\fR"));
        assertThat(serve).contains(".SH \"LSM ENGINE OPTIONS\"", ".SH \"SEE ALSO\"");
        assertThat(Files.readString(folder.resolve("man1/kvant-lab-plan.1"))).contains("5% (");
    }

    @Test
    void whatAFormatterWouldTakeForARequestIsText() throws IOException {
        for (Path page : pages()) {
            assertThat(Files.readString(page).lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                    .as(page.toString())
                    .allMatch(line -> line.matches("\\.(TH|SH|TP|nf|fi)( .*)?"));
        }
    }

    @Test
    void theFormatterFindsNothingWrongWithThePages() throws Exception {
        List<Path> pages = pages();
        List<String> command = new ArrayList<>(List.of(Tool.GROFF.need().toString(), "-man", "-ww", "-Tutf8", "-z"));
        pages.forEach(page -> command.add(page.toString()));

        assertThat(run(command)).isEmpty();
    }

    @Test
    void theShellCompletesCommandsAndOptions() throws Exception {
        assertThat(execute("completion", "bash")).isZero();
        Path script = Files.writeString(folder.resolve("kvant.bash"), out.toString());

        assertThat(completed(script, "ser")).containsExactly("serve");
        assertThat(completed(script, "serve", "--lsm.mem")).containsExactly("--lsm.memtable");
        assertThat(completed(script, "config", "pr")).containsExactly("print");
        assertThat(execute("completion", "fish")).isEqualTo(2);
        assertThat(err.toString()).contains("'fish' is not one of bash, zsh");
    }

    /// The completions of bash for these words of `kvant`, the last of which is not complete. Outside of a completion
    /// there is no `compopt`.
    private List<String> completed(Path script, String... words) throws Exception {
        String line = String.join(" ", words);
        return run(List.of(
                        Tool.BASH.need().toString(),
                        "--norc",
                        "-c",
                        "source " + script + "; compopt() { :; }; COMP_WORDS=(kvant " + line + "); COMP_CWORD="
                                + words.length + "; _complete_kvant; printf '%s\\n' \"${COMPREPLY[@]}\""))
                .lines()
                .map(String::strip)
                .toList();
    }
}
