package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Experiments;
import kvant.lab.experiment.Step;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Identity;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.load.loop.StopSwitch;
import kvant.text.child.ArchivedClasses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// Runs of experiments with real processes, each in a folder of its own.
abstract class LabRunFixture {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> SMALL = List.of(JAVA, "-Xmx64m", "-XX:TieredStopAtLevel=1");

    private static final ArchivedClasses CLASSES = ArchivedClasses.of(
            "server", SMALL, List.of(TinyServer.class.getName(), "--port", "0", "--data", "data"), "listening on ");

    /// The arguments after the options of its JVM.
    static final List<String> MAIN = concat(CLASSES.options(), TinyServer.class.getName());

    private static final String LOAD = """
            load: {workload: put, rate: 200, connections: 4, duration: 200ms, warmup: 0s, window: 50ms, drain: 100ms}
            """;

    @TempDir
    Path folder;

    final StopSwitch stop = new StopSwitch();
    List<String> bench = List.of();
    final List<String> told = new ArrayList<>();
    final RunListener listener = new RunListener() {
        @Override
        public void begins(Step step, int number, int of, Duration left) {
            told.add(step.id() + " " + number + "/" + of);
        }

        @Override
        public void disturbed(Step step, Set<Disturbance> by) {
            told.add(step.id() + " disturbed");
        }

        @Override
        public void leftOut(String variant, Remark why) {
            told.add(variant + " " + why);
        }
    };

    @AfterEach
    void noProcessAndNoDataIsLeft() throws IOException {
        assertThat(ProcessHandle.current().descendants()).noneMatch(ProcessHandle::isAlive);
        assertThat(work()).isEmptyDirectory();
    }

    private static List<String> concat(List<String> words, String last) {
        return Stream.concat(words.stream(), Stream.of(last)).toList();
    }

    /// The words of a list in YAML that start a server of another kind.
    static String external() {
        return Stream.concat(SMALL.stream(), MAIN.stream())
                .map(word -> '"' + word + '"')
                .collect(Collectors.joining(", "));
    }

    Path work() throws IOException {
        return Files.createDirectories(folder.resolve("work"));
    }

    static Experiment experiment(String variants, String rest) {
        String text =
                "name: e\ntitle: t\nrepeats: 1\n" + LOAD + "variants:\n" + variants + "phases: [{name: put}]\n" + rest;
        return Experiments.read("e.yaml", text, Path.of("/"), Scale.FULL);
    }

    static Experiment twoNodes() {
        return experiment("  - {name: a}\n  - {name: b, serve: {x: y}}\n", "");
    }

    RunRequest request(Experiment experiment, Function<List<String>, String> obstacle) throws IOException {
        return request(experiment, null, obstacle);
    }

    RunRequest request(Experiment experiment, @Nullable UntilDecided limit, Function<List<String>, String> obstacle)
            throws IOException {
        return new RunRequest(
                experiment,
                limit,
                folder.resolve("out"),
                work(),
                new KvantCommand(SMALL, MAIN, bench),
                obstacle,
                "kvant lab run e",
                new Identity("1", "abc", false));
    }

    LabRun.Outcome run(Experiment experiment) throws IOException {
        return run(experiment, new Instruments() {});
    }

    LabRun.Outcome run(Experiment experiment, Instruments instruments) throws IOException {
        return LabRun.run(request(experiment, _ -> ""), instruments, listener, stop);
    }

    LabRun.Outcome resume() throws IOException {
        return LabRun.resumed(
                request(LabRun.experimentOf(folder.resolve("out")), _ -> ""),
                new Instruments() {},
                listener,
                new StopSwitch());
    }

    Map<?, ?> json(String name) throws IOException {
        String text = Files.readString(folder.resolve("out").resolve(name));
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    List<String> statuses() throws IOException {
        return ((List<?>) json("run.json").get("steps"))
                .stream()
                        .map(one -> ((Map<?, ?>) one).get("id") + " " + ((Map<?, ?>) one).get("status"))
                        .toList();
    }

    static boolean isMissing(LabRun.Outcome outcome, String what, String why) {
        return outcome.missing().stream()
                .anyMatch(one -> one.what().toString().contains(what)
                        && one.why().toString().contains(why));
    }
}
