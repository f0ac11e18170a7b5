package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.cli.ChildClasses;
import kvant.cli.Main;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs that continue until they are decided, and the rounds that this takes, with real nodes: A against A.
@Timeout(900)
class LabDecisionTest {

    private static final String EXPERIMENT = """
            name: alike
            title: The same node twice
            variants:
              - {name: a, serve: {executor: sync, durability: none, event-loops: 1, warm-up: 0}, jvm: [-Xmx64m]}
              - {name: b, serve: {executor: sync, durability: none, event-loops: 1, warm-up: 0}, jvm: [-Xmx64m]}
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
        return ChildClasses.lent(() -> Main.execute(new PrintWriter(out), new PrintWriter(err), words));
    }

    private int runUntilDecided(Path results, String atMost) throws IOException {
        return kvant(
                "lab",
                "run",
                Files.writeString(folder.resolve("alike.yaml"), ChildClasses.quick(EXPERIMENT))
                        .toString(),
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

    /// Whether and when it is decided depends on how much the machine was disturbed: blocks that were are left out.
    @Test
    void aRunGoesOnInBlocksUntilItIsDecidedOrItsTimeIsSpent() throws IOException {
        Path results = folder.resolve("results");

        assertThat(runUntilDecided(results, "4s")).as(err::toString).isZero();

        assertThat(err.toString())
                .containsAnyOf("no question is left that more rounds would answer", "the time is spent; open: alike");
        List<String> order = variants(results);
        assertThat(order).hasSizeGreaterThanOrEqualTo(4);
        List<String> block = List.of("a", "b", "b", "a", "b", "a", "a", "b");
        for (int i = 0; i < order.size(); i++) {
            assertThat(order.get(i)).as("step %d of %s", i, order).isEqualTo(block.get(i % block.size()));
        }
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

    @Test
    void aRunWhoseTimeIsSpentSaysWhatIsOpen() throws IOException {
        Path results = folder.resolve("results");

        assertThat(runUntilDecided(results, "1ms")).as(err::toString).isZero();

        assertThat(err.toString())
                .contains("the time is spent; open: alike")
                .contains("'--at-most' is too short for answers: the first one takes 8 rounds, and they take about ")
                .contains("kvant: alike, put: Too little to tell b from a at failed requests");
        assertThat(variants(results)).containsExactly("a", "b", "b", "a");
        assertThat(kvant("lab", "plan", results.toString())).isZero();
        assertThat(row()).contains("alike", "put", "a,", "b", "errors", "-").endsWith("open"); // as the run said
        assertThat(out.toString())
                .contains("These rounds tell no number of rounds", "'--repeats 4' or more")
                .doesNotContain("with a probability of");

        Path load = results.resolve("runs/01-a-put/load.json");
        Files.writeString(load, Files.readString(load).replaceFirst("\"stolenShare\": [^,]*", "\"stolenShare\": 0.9"));
        assertThat(kvant("lab", "plan", results.toString())).isZero();
        assertThat(out.toString()).contains("alike, put: 1 block of 1 was disturbed: the host stole more than 10 %");
    }

    @Test
    void aPlanOfNothingIsRefused() {
        assertThat(kvant("lab", "plan", folder.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("was not created by 'kvant lab run'");
        assertThat(kvant("lab", "plan", folder.toString(), "--see", "0%")).isEqualTo(2);
        assertThat(err.toString()).contains("'--see': '0%' is not a difference from 1% to 100%");
        assertThat(kvant("lab", "run", "sync-or-async", "--disturbed", "much")).isEqualTo(2);
        assertThat(err.toString()).contains("'--disturbed': 'much' is neither a share from 1% to 100% nor 'off'");
    }
}
