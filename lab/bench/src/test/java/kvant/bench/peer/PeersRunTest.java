package kvant.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.bench.Main;
import kvant.bench.QuickStart;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.result.Identity;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.Instruments;
import kvant.lab.run.LabRun;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.RunListener;
import kvant.load.loop.StopSwitch;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.report.Study;
import kvant.report.words.Words.Language;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `kvant lab run peers` in the small, with whom is installed: Kvant and one-nio always, the others where
/// their packages are. Not a word of figures; that each is filled, asked and understood.
@Tag("full") // two minutes: servers of others and a cluster
@Timeout(400)
class PeersRunTest {

    @TempDir
    private Path folder;

    private final List<Remark> leftOut = new ArrayList<>();

    @Test
    void eachPeerThatIsInstalledIsMeasuredAndTheOthersAreNamed() throws Exception {
        Path results = folder.resolve("out");
        Experiment all = experiment(
                List.of("kvant", "kvant-resp", "one-nio", "nginx", "redis", "webdis", "etcd"),
                List.of("get-absent", "get-100k", "mixed-50", "scan"));
        LabRun.Outcome outcome = LabRun.run(request(all, results), reporting(), listener(), new StopSwitch());

        RunRecord run = assertThatAllIsUnderstood(results);
        assertThat(run.steps().stream().filter(StepRecord::isDone).map(StepRecord::variant))
                .contains("kvant", "kvant-resp", "one-nio");
        assertThat(outcome.missing())
                .filteredOn(one -> one.what() instanceof Remark.VariantOf)
                .hasSameSizeAs(leftOut);
        List<String> started = run.steps().stream()
                .filter(StepRecord::isDone)
                .map(StepRecord::variant)
                .distinct()
                .toList();
        assertThat(run.variants())
                .filteredOn(one -> one.kind().equals("external") && started.contains(one.name()))
                .allSatisfy(one -> assertThat(one.version()).as(one.name()).containsPattern("\\d\\.\\d"));
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("one-nio over a map in memory")
                .doesNotContain("cassandra");
        assertThat(ProcessHandle.current().descendants()).noneMatch(ProcessHandle::isAlive);
    }

    /// Its keys are put and asked for as those of any other, though it keeps none.
    @Test
    void nginxWithAConstantAnswerIsMeasuredWhereItIsInstalled() throws Exception {
        Path results = folder.resolve("out");
        Experiment few = experiment(List.of("one-nio", "nginx-constant"), List.of("get-16"));
        LabRun.run(request(few, results), reporting(), listener(), new StopSwitch());

        RunRecord run = assertThatAllIsUnderstood(results);
        assertThat(run.steps()).filteredOn(StepRecord::isDone).hasSize(2 - leftOut.size());
    }

    private RunRecord assertThatAllIsUnderstood(Path results) throws Exception {
        RunRecord run = RunRecord.read(results);
        assertThat(leftOut).allSatisfy(why -> assertThat(why).isInstanceOf(Remark.PackageNotInstalled.class));
        for (StepRecord step : run.steps()) {
            if (step.status() != StepRecord.Status.SKIPPED) {
                assertThat(step.status()).as("%s: %s", step.id(), step.reason()).isEqualTo(StepRecord.Status.DONE);
                assertUnderstood(
                        step,
                        ResultFile.read(
                                results.resolve("runs").resolve(step.id()).resolve("load.json")));
            }
        }
        return run;
    }

    /// Each answer is the one that was asked for: no key is missed, and none is found that there is not.
    private static void assertUnderstood(StepRecord step, LoadResult load) {
        assertThat(load.requests().errors()).as(step.id()).isZero();
        assertThat(load.requests().answered()).as(step.id()).isPositive();
        boolean absent = step.phase().equals("get-absent");
        Map<Integer, Long> statuses = load.statuses();
        assertThat(statuses.keySet())
                .as(step.id())
                .allMatch(status -> absent ? status == 404 : status == 200 || status == 201 || status == 204);
        assertThat(step.process().maxRssBytes()).as(step.id()).isGreaterThan(1 << 20);
    }

    /// All that serve by themselves, without the whole cluster.
    private static Experiment experiment(List<String> variants, List<String> phases) {
        return Shipped.find("peers")
                .read(Scale.FULL)
                .only(variants, phases)
                .withRepeats(1)
                .withoutProfiles()
                .withPhases(phase -> phase.with("duration", "300ms")
                        .with("warmup-limit", "200ms")
                        .with("window", "50ms")
                        .with("prefill", "50")
                        .with("rate", "100")
                        .with("drain", "5s"));
    }

    private RunRequest request(Experiment experiment, Path results) throws Exception {
        return new RunRequest(
                experiment,
                null,
                results,
                Files.createDirectories(folder.resolve("work")),
                new KvantCommand(
                        QuickNodes.java("-Xmx128m"),
                        QuickNodes.running(QuickStart.class.getName(), "kvant"),
                        QuickNodes.running(Main.class.getName())),
                _ -> "",
                "kvant lab run peers",
                new Identity("0", null, false));
    }

    private static Instruments reporting() {
        return new Instruments() {
            @Override
            public void report(Path results) {
                List<Path> _ = Study.report(results, List.of(Language.EN));
            }
        };
    }

    private RunListener listener() {
        return new RunListener() {
            @Override
            public void leftOut(String variant, Remark why) {
                leftOut.add(why);
            }
        };
    }
}
