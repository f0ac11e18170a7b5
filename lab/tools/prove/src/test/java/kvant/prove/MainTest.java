package kvant.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Violation;
import kvant.text.JsonValue;
import kvant.text.ProgressLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... args) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private static Trial fixed(String name, String obstacle, String violation) {
        return new Trial(name, 1, "all is well", () -> obstacle, _ -> {
            if (!violation.isEmpty()) {
                throw new Violation(violation);
            }
            return new Figures().add("trips", 1_234).add("most ms", 7).add("lost", 0);
        });
    }

    private boolean held(Trial trial) throws Exception {
        System.setProperty("kvant.root", folder.toString());
        try {
            Main main = new Main();
            new CommandLine(main).parseArgs("--seed", "42", "--for", "2m");
            return main.held(trial, Duration.ofMinutes(2), new ProgressLine(new PrintWriter(out, true), false));
        } finally {
            System.clearProperty("kvant.root");
        }
    }

    private String page() throws Exception {
        return Files.readString(folder.resolve("docs/results/reliability.md"));
    }

    private String json() throws Exception {
        return Files.readString(folder.resolve("docs/results/reliability.json"));
    }

    @Test
    void theListHasATrialOrAReasonForEachOfThirtyRows() {
        assertThat(execute("--list")).isZero();
        assertThat(out.toString()).contains("kill-always", "power-ext4", "power-xfs");
        assertThat(Row.ALL)
                .extracting(Row::number)
                .containsAll(IntStream.rangeClosed(1, 30).boxed().toList());
        assertThat(Row.ALL)
                .allMatch(row -> !row.elsewhere().isEmpty() || !row.trials().isEmpty());
        assertThat(Trial.all()).extracting(Trial::name).doesNotHaveDuplicates();
    }

    @Test
    void whatIsWrongOnTheCommandLineIsOneLine() {
        assertThat(execute("--only", "kill-everything")).isEqualTo(2);
        assertThat(execute("--for", "10")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("kvant: "));
    }

    @Test
    void aViolationNamesFolderSeedAndCommandAndKeepsTheFolder() throws Exception {
        assertThat(held(fixed("kill-always", "", "key k1 is lost"))).isFalse();
        assertThat(out.toString())
                .contains("kill-always: VIOLATED: key k1 is lost")
                .contains("seed: 42")
                .contains("./kvant prove --only kill-always --seed 42 --for 2m");
        try (var kept = Files.list(folder.resolve("target/prove"))) {
            assertThat(kept).hasSize(1);
        }
        assertThat(page()).contains("VIOLATED: key k1 is lost");
    }

    @Test
    void resultsOfOtherTrialsAreKeptAndATrialThatCannotRunSaysWhy() throws Exception {
        assertThat(held(fixed("kill-always", "", ""))).isTrue();
        assertThat(held(fixed("power-xfs", "no right to mount", ""))).isTrue();
        assertThat(held(fixed("kill-always", "no machine", ""))).isTrue();
        assertThat(page())
                .contains("`kill-always` | trips 1,234, most ms 7, lost 0 |")
                .contains("`power-xfs` | not run here: no right to mount |")
                .contains(": `kill-always`\n");
        assertThat(json()).contains("\"seed\": \"42\"");
        assertThat(folder.resolve("target/prove")).isEmptyDirectory();
    }

    @Test
    void runsOnOneCommitAddUpAndAnotherCommitBeginsAnew() throws Exception {
        assertThat(held(fixed("kill-always", "", ""))).isTrue();
        assertThat(held(fixed("kill-always", "", ""))).isTrue();
        assertThat(page()).contains("| trips 2,468, most ms 7, lost 0 |");
        assertThat(json()).contains("\"seed\": \"42, 42\"");

        Path file = folder.resolve("docs/results/reliability.json");
        String commit = JsonValue.read(file, "results")
                .at("trials")
                .list()
                .getFirst()
                .at("commit")
                .text();
        Files.writeString(file, Files.readString(file).replace("\"" + commit + "\"", "\"another\""));
        assertThat(held(fixed("kill-always", "", ""))).isTrue();
        assertThat(page()).contains("| trips 1,234, most ms 7, lost 0 |");

        assertThat(held(fixed("kill-always", "", "the rate is 5, before it 20")))
                .isFalse();
        assertThat(held(fixed("kill-always", "", ""))).isTrue();
        assertThat(page()).contains("| trips 1,234, most ms 7, lost 0 |");
    }

    @Test
    void figuresAreReadAsTheyAreWritten() {
        String text =
                "cuts under interval=100 1,002, most ms until 95 % of goodput 1,000, until ready p99 ms 20, p99 ms 7,"
                        + " lost 0";
        assertThat(Figures.of(text)).hasToString(text);
        assertThat(Figures.of(text).add(Figures.of(text)))
                .hasToString("cuts under interval=100 2,004, most ms until 95 % of goodput 1,000,"
                        + " until ready p99 ms 20, p99 ms 7, lost 0");
        assertThat(Figures.of("VIOLATED: the rate is 5, before it 20").isEmpty())
                .isTrue();
    }
}
