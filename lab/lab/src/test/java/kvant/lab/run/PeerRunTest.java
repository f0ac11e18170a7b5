package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Experiments;
import kvant.lab.result.Identity;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.load.loop.StopSwitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs with servers of other kinds: who is not installed is named, who is there says its version, and the
/// processes of one that is several are measured and ended together.
class PeerRunTest {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path folder;

    private LabRun.Outcome run(String variants) throws IOException {
        String text = """
                name: e
                title: t
                repeats: 1
                load: {rate: 100, connections: 2, duration: 200ms, warmup: 0s, window: 50ms, drain: 100ms}
                phases: [{name: put, workload: put}, {name: other, workload: put}]
                variants:
                """ + variants;
        RunRequest request = new RunRequest(
                Experiments.read("e.yaml", text, Path.of("/"), Scale.FULL),
                null,
                folder.resolve("out"),
                Files.createDirectories(folder.resolve("work")),
                new KvantCommand(List.of(JAVA), List.of(), List.of()),
                _ -> "",
                "kvant lab run e",
                new Identity("1", "abc", false));
        return LabRun.run(request, new Instruments() {}, new RunListener() {}, new StopSwitch());
    }

    /// The words of a tiny server, in quotes of YAML.
    private static String tiny(String before, String port) {
        String command = JAVA + " -Xmx64m -XX:TieredStopAtLevel=1 -cp " + System.getProperty("java.class.path") + " "
                + TinyServer.class.getName() + " --port " + port + " --data \"${data}\"";
        return "[sh, -c, '" + before + command + "']";
    }

    @Test
    void whoIsNotInstalledIsNamedWithItsPackageAndTheOthersRun() throws IOException {
        LabRun.Outcome outcome = run("""
                  - name: absent
                    command: [sh, -c, 'exec no-such-program ${port}']
                    needs: {sh: dash, no-such-program: its-package}
                  - name: there
                    command: %s
                    needs: {sh: dash}
                    phases: [put]
                    version: [sh, -c, 'echo; echo "  tiny 1.2"; echo more']
                """.formatted(tiny("exec ", "${port}")));

        assertThat(outcome.missing())
                .anyMatch(one -> one.why().equals(new Remark.PackageNotInstalled("no-such-program", "its-package")));
        RunRecord run = RunRecord.read(folder.resolve("out"));
        assertThat(run.variants()).extracting(VariantRecord::version).containsExactly("", "tiny 1.2");
        assertThat(run.variants().getLast().phases()).containsExactly("put");
        assertThat(run.steps())
                .filteredOn(step -> step.variant().equals("there"))
                .extracting(StepRecord::id, StepRecord::status)
                .containsExactly(tuple("01-there-put", StepRecord.Status.DONE));
    }

    /// The second server listens on the second port and holds memory of its own: what both took is counted,
    /// and none is left.
    @Test
    void serversOfOneVariantAreMeasuredAndEndedTogether() throws IOException {
        LabRun.Outcome outcome = run("""
                  - name: pair
                    command: %s
                    phases: [put]
                  - name: one
                    command: %s
                    phases: [put]
                """.formatted(
                        tiny(tiny("", "${port2}").replaceAll("^.*'(.*)'.*$", "$1") + " & exec ", "${port}"),
                        tiny("exec ", "${port}")));

        assertThat(outcome.partialReason()).isNull();
        List<StepRecord> steps = RunRecord.read(folder.resolve("out")).steps();
        assertThat(steps).hasSize(2);
        long pair = steps.getFirst().process().maxRssBytes();
        long one = steps.getLast().process().maxRssBytes();
        assertThat(pair).as("memory of two beside that of one, %d", one).isGreaterThan(one * 3 / 2);
        assertThat(ProcessHandle.current().descendants()).noneMatch(ProcessHandle::isAlive);
    }
}
