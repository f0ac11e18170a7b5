package kvant.bench.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.Remark;
import kvant.lab.run.LabRun;
import kvant.lab.run.Launch.KvantCommand;
import kvant.load.loop.StopSwitch;
import kvant.text.ProgressLine;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Order and resumption of the runs with planted differences, without real nodes.
class RealTruthTest {

    private static final List<Law> LAWS = List.of(Law.DELAY);

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();
    private final List<String> made = new ArrayList<>();

    /// Runs what a folder lacks, and is stopped in the run of this number.
    private List<String> run(TruthPlan plan, int stopped) {
        made.clear();
        StopSwitch stop = new StopSwitch();
        KvantCommand kvant = new KvantCommand(List.of("none"), List.of(), List.of());
        try (ProgressLine line = new ProgressLine(new PrintWriter(said), false)) {
            RealTruth truth = new RealTruth(kvant, folder.resolve("out"), folder, line, stop, (experiment, into) -> {
                made.add(into.getFileName() + " "
                        + experiment.phases().getFirst().seed());
                if (made.size() == stopped) {
                    stop.stop();
                }
                return written(experiment, into, made.size() == stopped);
            });
            return truth.run(plan).lines();
        }
    }

    private static LabRun.Outcome written(Experiment experiment, Path into, boolean partial) {
        try {
            Files.createDirectory(into);
            Files.writeString(into.resolve(".kvant-lab"), "kvant-lab/1\n");
            Files.writeString(into.resolve("of-this-attempt"), experiment.name());
            String status = partial ? "partial" : "complete";
            Files.writeString(
                    into.resolve("run.json"), "{\"schema\": \"kvant-lab/1\", \"status\": \"" + status + "\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LabRun.Outcome(into, partial ? new Remark.StoppedBeforeItsEnd() : null, List.of(), 0);
    }

    @Test
    void whatWasRunIsReadAndOnlyTheRestIsRun() throws IOException {
        TruthPlan plan = TruthPlan.of(LAWS, 2, 7);
        plan.create(folder.resolve("out"));
        run(plan, 3);
        assertThat(made).containsExactly("0001 7", "0002 7", "0003 7");
        Files.writeString(folder.resolve("out/0003/of-the-attempt-before"), "x");

        run(TruthPlan.resumed(folder.resolve("out"), List.of(), null, null), 0);

        assertThat(made)
                .containsExactly("0003 7", "0004 7", "0005 7", "0006 13", "0007 13", "0008 13", "0009 13", "0010 13");
        assertThat(folder.resolve("out/0003/of-the-attempt-before")).doesNotExist();
        assertThat(said.toString()).contains("[2/10] delay, 5 %, as it was measured before");
    }

    @Test
    void moreRunsMayBeAddedToAFolderAndNoOtherOnes() {
        Path out = folder.resolve("out");
        TruthPlan.of(LAWS, 1, 7).create(out);

        assertThat(TruthPlan.resumed(out, LAWS, 3, 7L)).isEqualTo(TruthPlan.of(LAWS, 3, 7));
        assertThatThrownBy(() -> TruthPlan.resumed(out, List.of(Law.BURN), null, null))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("was made with kvant-truth/3, the laws delay, seed 7, ")
                .hasMessageContaining("not with kvant-truth/3, the laws burn, seed 7, ");
        assertThatThrownBy(() -> TruthPlan.resumed(out, List.of(), null, 8L)).hasMessageContaining("seed 8");
        assertThatThrownBy(() -> TruthPlan.resumed(folder, List.of(), null, null))
                .hasMessageContaining("was not created by these runs");
        assertThatThrownBy(() -> TruthPlan.of(LAWS, 1, 7).create(out)).hasMessageContaining(out + " exists");
    }

    @Test
    void aFolderOfOtherRoundsIsRefused() throws IOException {
        Path out = folder.resolve("out");
        TruthPlan.of(LAWS, 1, 7).create(out);
        Path file = out.resolve("truth.json");
        Files.writeString(file, Files.readString(file).replaceFirst("\"rounds\": \\d+", "\"rounds\": 60"));

        assertThatThrownBy(() -> TruthPlan.resumed(out, List.of(), null, null))
                .hasMessageContaining("60 rounds of 1000 ms, not with");
    }
}
