package kvant.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.cli.Main;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs that go on until they know, and how many rounds it takes, with real nodes: A against A.
///
/// Failed requests are counted over eight rounds, however busy the machine is; other figures may take any
/// number.
@Timeout(900)
class LabDecisionTest {

    private static final int COUNTED = 8;

    private static final String EXPERIMENT = """
            name: alike
            title: The same node twice
            variants:
              - {name: a, serve: {executor: sync, durability: none, event-loops: 1}, jvm: [-Xmx64m]}
              - {name: b, serve: {executor: sync, durability: none, event-loops: 1}, jvm: [-Xmx64m]}
            load: {rate: 200, connections: 4, warmup: 0s, window: 50ms, drain: 10s}
            phases:
              - {name: put, workload: put, duration: 300ms}
            questions:
              - {id: alike, text: Does one fail more?, compare: [a, b], metric: errors}
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int kvant(String... words) {
        out.getBuffer().setLength(0);
        return Main.execute(new PrintWriter(out), new PrintWriter(err), words);
    }

    private int runUntilDecided(Path results, String atMost) throws IOException {
        return kvant(
                "lab",
                "run",
                Files.writeString(folder.resolve("alike.yaml"), EXPERIMENT).toString(),
                "--until-decided",
                "--at-most",
                atMost,
                "--out",
                results.toString(),
                "--work",
                Files.createDirectories(folder.resolve("work")).toString());
    }

    private static List<String> variants(Path results) {
        return RunRecord.read(results).steps().stream()
                .filter(one -> one.status() == StepRecord.Status.DONE)
                .map(StepRecord::variant)
                .toList();
    }

    @Test
    void aRunEndsWithTheBlockThatDecides() throws IOException {
        Path results = folder.resolve("results");

        assertThat(runUntilDecided(results, "1h")).as(err::toString).isZero();

        assertThat(err.toString()).contains("open: alike", "every question is decided");
        List<String> order = variants(results);
        assertThat(order).hasSize(2 * COUNTED);
        assertThat(order.subList(0, COUNTED)).containsExactly("a", "b", "b", "a", "b", "a", "a", "b");
        assertThat(results.resolve("report.json")).content().contains("\"outcome\": \"noDifference\"");
        assertThat(kvant("lab", "plan", results.toString())).isZero();
        assertThat(row()).contains("alike", "put", "a,", "b", "errors", "decided");
    }

    @Test
    void aPilotSaysHowManyRoundsAreNeeded() throws IOException {
        Path results = folder.resolve("pilot");
        String text = EXPERIMENT.replace("metric: errors", "metric: cpu");
        Path file = Files.writeString(folder.resolve("pilot.yaml"), text);
        String work = Files.createDirectories(folder.resolve("work")).toString();

        assertThat(kvant("lab", "run", file.toString(), "--repeats", "4", "--out", results.toString(), "--work", work))
                .as(err::toString)
                .isZero();

        assertThat(kvant("lab", "plan", results.toString(), "--see", "50%")).isZero();
        int forHalf = rounds();
        assertThat(kvant("lab", "plan", results.toString(), "--see", "1%")).isZero();
        assertThat(rounds()).isGreaterThanOrEqualTo(Math.max(3, forHalf));
        assertThat(out.toString()).contains("with a probability of 80 %");
    }

    /// Words of the one row of the plan.
    private List<String> row() {
        String row = out.toString()
                .lines()
                .filter(line -> line.startsWith("alike"))
                .findFirst()
                .orElseThrow();
        return List.of(row.strip().split("\\s+"));
    }

    /// The column behind the spread, which is a percentage; a number, or "> 1000".
    private int rounds() {
        String digits = String.join(" ", row()).replaceFirst("^.*?% \\S+ % (> )?(\\d+) .*$", "$2");
        assertThat(digits).as(out::toString).containsOnlyDigits();
        return Integer.parseInt(digits);
    }

    @Test
    void aRunWhoseTimeIsSpentSaysWhatIsOpen() throws IOException {
        Path results = folder.resolve("results");

        assertThat(runUntilDecided(results, "1ms")).as(err::toString).isZero();

        assertThat(err.toString()).contains("the time is spent; open: alike");
        assertThat(variants(results)).containsExactly("a", "b", "b", "a");
        assertThat(kvant("lab", "plan", results.toString())).isZero();
        assertThat(row()).contains("-", "open");
        assertThat(out.toString()).contains("A dash: three rounds are needed to tell.");
    }

    @Test
    void aPlanOfNothingIsRefused() {
        assertThat(kvant("lab", "plan", folder.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("was not created by 'kvant lab run'");
        assertThat(kvant("lab", "plan", folder.toString(), "--see", "0%")).isEqualTo(2);
        assertThat(err.toString()).contains("'--see': '0%' is not a difference from 1% to 100%");
    }
}
