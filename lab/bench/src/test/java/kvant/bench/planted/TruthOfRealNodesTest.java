package kvant.bench.planted;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.lab.run.Launch.KvantCommand;
import kvant.load.host.BusyHost;
import kvant.load.loop.StopSwitch;
import kvant.text.ProgressLine;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Makes the table of real nodes of docs/report.md: 14 runs of each of 15 kinds, about two and a half hours alone on a
/// machine. Asked for by the folder of its runs; the table is `truth.md` in it. Runs that the folder has are read, so
/// that an interrupted series continues, and a larger number adds some.
///
/// | property | meaning |
/// |---|---|
/// | `kvant.planted.out` | the folder, new or of these runs |
/// | `kvant.planted.runs` | runs of each kind (14) |
/// | `kvant.planted.laws` | `delay,slow,burn` or some of them (all) |
/// | `kvant.seed` | what keys and arrivals follow from (1) |
@EnabledIfSystemProperty(named = "kvant.planted.out", matches = ".+")
class TruthOfRealNodesTest {

    @TempDir
    private Path work;

    @Test
    void theTableOfTheReport() throws IOException {
        Path out = Path.of(System.getProperty("kvant.planted.out")).toAbsolutePath();
        KvantCommand kvant = new KvantCommand(
                QuickNodes.java("-Xmx256m"), List.of(), QuickNodes.running(PlantedNode.class.getName()));
        StopSwitch stop = new StopSwitch();
        try (ProgressLine line = new ProgressLine(new PrintWriter(System.err, true, StandardCharsets.UTF_8), false)) {
            BusyHost.warn(stop::sleep, line::note);
            List<String> table =
                    new RealTruth(kvant, out, work, line, stop).run(plan(out)).lines();
            Files.write(out.resolve("truth.md"), table);
        }
    }

    private static TruthPlan plan(Path out) {
        List<String> named = List.of(
                System.getProperty("kvant.planted.laws", "delay,slow,burn").split(","));
        List<Law> laws =
                Stream.of(Law.values()).filter(law -> named.contains(law.key())).toList();
        int runs = Integer.getInteger("kvant.planted.runs", 14);
        long seed = Long.getLong("kvant.seed", 1);
        if (Files.exists(out)) {
            return TruthPlan.resumed(out, laws, runs, seed);
        }
        TruthPlan plan = TruthPlan.of(laws, runs, seed);
        plan.create(out);
        return plan;
    }
}
