package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Profiling;
import kvant.lab.experiment.Step;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.lab.run.StepRunner.CalmRule;
import kvant.load.record.Window;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;

/// Runs of experiments with real processes: what they leave behind, and what they do not.
class LabRunTest extends LabRunFixture {

    @Test
    void eachVariantIsMeasuredInTurnAndTheFilesAreThere() throws IOException {
        LabRun.Outcome outcome = run(twoNodes().withRepeats(2));

        assertThat(outcome.partialReason()).isNull();
        assertThat(told).contains("01-a-put 1/4", "01-b-put 2/4", "02-b-put 3/4", "02-a-put 4/4");
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put done", "02-b-put done", "02-a-put done");
        Map<?, ?> run = json("run.json");
        assertThat(run.get("schema")).isEqualTo("kvant-lab/1");
        assertThat(run.get("status")).isEqualTo("complete");
        Map<?, ?> step = (Map<?, ?>) ((List<?>) run.get("steps")).getFirst();
        assertThat((Integer) ((Map<?, ?>) step.get("process")).get("answered")).isEqualTo(40);
        assertThat(((Map<?, ?>) run.get("experiment")).get("disturbedAbove")).isEqualTo(0.1);
        for (Object file : ((Map<?, ?>) step.get("files")).values()) {
            assertThat(folder.resolve("out").resolve(file.toString())).isRegularFile();
        }
        assertThat(((Map<?, ?>) step.get("files")).keySet().stream().map(String::valueOf))
                .containsExactlyInAnyOrder("load", "samples", "jfr", "gc", "log", "slow", "tail");
        assertThat(json("runs/01-a-put/load.json").get("schema")).isEqualTo("kvant-load/1");
        Map<?, ?> host = (Map<?, ?>) json("runs/01-a-put/load.json").get("host");
        assertThat(host.keySet().stream().map(String::valueOf))
                .as("what the machine did meanwhile")
                .contains("loadBefore", "stolenShare", "throttledShare", "waitedForCpu", "governor", "busyProcessors");
        assertThat(folder.resolve("out/experiment.yaml")).content().contains("name: e");
        assertThat(folder.resolve("out/.kvant-lab")).hasContent("kvant-lab/1\n");
        assertThat(folder.resolve("out/.kvant-lab-running")).doesNotExist();
    }

    @Test
    void whatAServedJvmDidIsInTheSamples() throws IOException {
        run(experiment("  - {name: a, serve: {behave: collect}}\n", ""));

        Map<?, ?> samples = json("runs/01-a-put/samples.json");
        List<?> events = (List<?>) samples.get("events");
        assertThat(events).isNotEmpty().allSatisfy(event -> {
            assertThat(((Map<?, ?>) event).get("kind")).isIn("gc", "safepoint");
            assertThat(((Number) ((Map<?, ?>) event).get("toNanos")).longValue())
                    .isNotNegative();
        });
        Map<?, ?> step = (Map<?, ?>) ((List<?>) json("run.json").get("steps")).getFirst();
        Map<?, ?> process = (Map<?, ?>) step.get("process");
        assertThat(((Number) process.get("gcCount")).intValue()).isBetween(1, 10);
        assertThat(((Number) process.get("gcPauseNanos")).longValue()).isPositive();
        assertThat(((Number) process.get("userProcessors")).doubleValue()).isNotNegative();
        assertThat(((Number) process.get("maxRssBytes")).longValue()).isGreaterThan(10_000_000);
        assertThat(samples.get("columns").toString())
                .isEqualTo("[fromNanos, cpuNanos, rssBytes, readBytes, writtenBytes]");
    }

    @Test
    void anotherServerIsMeasuredAndRecordsWhenItIsAJvm() throws IOException {
        String command = "[" + external() + ", --port, \"${port}\", --data, \"${data}\"]";
        LabRun.Outcome outcome = run(experiment(
                "  - {name: plain, command: " + command + ", ready: 'http://127.0.0.1:${port}/x'}\n"
                        + "  - {name: jvm, command: " + command + ", jvm: [-Xmx64m]}\n",
                ""));

        assertThat(outcome.partialReason()).isNull();
        assertThat(folder.resolve("out/runs/01-plain-put/node.jfr")).doesNotExist();
        assertThat(folder.resolve("out/runs/01-jvm-put/node.jfr")).isNotEmptyFile();
        assertThat(folder.resolve("out/runs/01-jvm-put/gc.log")).isNotEmptyFile();
    }

    @Test
    void aVariantThatDoesNotStartKeepsNoOtherFromBeingMeasured() throws IOException {
        LabRun.Outcome outcome = run(experiment("  - {name: a, serve: {behave: fail}}\n  - {name: b}\n", "")
                .withRepeats(3));

        assertThat(statuses())
                .containsExactly(
                        "01-a-put failed",
                        "01-b-put done",
                        "02-b-put done",
                        "02-a-put failed",
                        "03-b-put done",
                        "03-a-put skipped");
        assertThat(outcome.partialReason())
                .isEqualTo(new Remark.StepsFailed(3, 6, new Remark.ServerEnded(1, "it cannot be started like this")));
        assertThat(json("run.json").toString()).contains("it cannot be started like this", "{kind=failedInARow, n=2}");
    }

    @Test
    void aServerThatDiesInTheMiddleLeavesItsPartialFigures() throws IOException {
        run(experiment("  - {name: a, serve: {answers: 20}}\n", "").withPhases(phase -> phase.with("duration", "2s")));

        assertThat(statuses()).containsExactly("01-a-put failed");
        assertThat(json("run.json").toString()).contains("kind=serverEndedUnderLoad, exitCode=7");
        assertThat(json("runs/01-a-put/load.json").get("schema")).isEqualTo("kvant-load/1");
    }

    @Test
    void aStepWhoseWarmUpFailedIsNotDone() throws IOException {
        run(experiment("  - {name: a, serve: {behave: mute}}\n", "")
                .withPhases(phase -> phase.with("warmup", "200ms")));

        assertThat(statuses()).containsExactly("01-a-put failed");
        assertThat(json("run.json").toString()).contains("kind=warmupFailed");
    }

    @Test
    void aStepThatNobodyAnsweredIsNotDone() throws IOException {
        run(experiment("  - {name: a, serve: {behave: deaf}}\n", "").withPhases(phase -> phase.with("warmup", "0s")));

        assertThat(statuses()).containsExactly("01-a-put failed");
        assertThat(json("run.json").toString()).contains("kind=nobodyAnswered");
    }

    @Test
    void aServerThatIsNeverReadyIsEndedAfterItsTime() throws IOException {
        String command = "[" + external() + ", --port, \"${port}\", --data, \"${data}\", --behave, silent]";
        String variants = "  - {name: a, command: " + command + ", start-timeout: 2s}\n  - {name: b}\n";
        LabRun.Outcome outcome = run(experiment(variants, ""));

        assertThat(statuses()).containsExactly("01-a-put failed", "01-b-put done");
        assertThat(outcome.partialReason())
                .isInstanceOfSatisfying(
                        Remark.StepsFailed.class,
                        failed -> assertThat(failed.reason())
                                .isInstanceOfSatisfying(Remark.ServerNotReady.class, why -> {
                                    assertThat(why.limitNanos()).isEqualTo(2_000_000_000);
                                    assertThat(why.lastWords()).startsWith("listening on http");
                                }));
    }

    @Test
    void aVariantChoosesTheCommandOfTheLauncherThatStartsIt() throws IOException {
        Experiment experiment = experiment("  - {name: a}\n  - {name: b, program: bench, serve: {published: x}}\n", "");
        LabRun.Outcome without = run(experiment);

        assertThat(without.missing()).contains(new Missing(new Remark.VariantOf("b"), new Remark.BenchmarksNotBuilt()));
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put skipped");

        bench = Stream.concat(Stream.of("-Dtiny.behave=fail"), MAIN.stream()).toList();
        resume();
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put failed");
        assertThat(json("run.json").get("variants").toString())
                .contains("command=[kvant, serve]", "command=[kvant, bench, serve, --published, x]");
    }

    @Test
    void anOptionThatIsNotUnderstoodIsSaidBeforeTheFirstRun() throws IOException {
        RunRequest request = request(twoNodes(), words -> words.contains("--x") ? "unknown option '--x'" : "");
        LabRun.Outcome outcome = LabRun.run(request, new Instruments() {}, listener, stop);

        assertThat(told).contains("b " + new Remark.OptionsRefused("--x y", "unknown option '--x'"));
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put skipped");
        assertThat(isMissing(outcome, "VariantOf[variant=b]", "--x")).isTrue();
    }

    @Test
    void whereNothingCanStartNothingIsCreated() throws IOException {
        RunRequest request = request(twoNodes(), _ -> "no");
        assertThatThrownBy(() -> LabRun.run(request, new Instruments() {}, listener, stop))
                .isInstanceOfSatisfying(
                        ServerException.class,
                        none -> assertThat(none.reason()).isEqualTo(new Remark.OptionsRefused("", "no")));
        assertThat(folder.resolve("out")).doesNotExist();

        Experiment strange = experiment("  - {name: a, jvm: ['-XX:NoSuchOption']}\n", "");
        assertThatThrownBy(() -> run(strange)).hasMessageContaining("JvmRefused[options=-XX:NoSuchOption");
        Experiment none = experiment("  - {name: a, command: [no-such-program, '${port}']}\n", "");
        assertThatThrownBy(() -> run(none)).hasMessage(new Remark.NoProgramOnPath("no-such-program").toString());
    }

    @Test
    void aStoppedRunIsPartialAndGoesOn() throws IOException {
        LabRun.Outcome stopped = LabRun.run(
                request(twoNodes(), _ -> ""),
                new Instruments() {},
                new RunListener() {
                    @Override
                    public void begins(Step step, int number, int of, Duration left) {
                        if (number == 2) {
                            stop.stop();
                        }
                    }
                },
                stop);

        assertThat(stopped.partialReason()).isEqualTo(new Remark.StepsToGo(1, 2));
        assertThat(json("run.json").get("status")).isEqualTo("partial");
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put planned");
        Path first = folder.resolve("out/runs/01-a-put/load.json");
        String before = Files.readString(first);
        FileTime written = Files.getLastModifiedTime(first);
        Object startedAt = json("run.json").get("startedAt");

        LabRun.Outcome resumed = resume();
        assertThat(resumed.partialReason()).isNull();
        assertThat(told).containsExactly("01-b-put 1/1");
        assertThat(statuses()).allMatch(status -> status.endsWith("done"));
        assertThat(first).hasContent(before);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(written);
        assertThat(json("run.json").get("startedAt")).isEqualTo(startedAt);
        assertThat(json("run.json").get("status")).isEqualTo("complete");
    }

    /// Whatever the host does, it takes more than less than nothing.
    @Test
    void aDisturbedStepIsMeasuredAgainAsOftenAsTheExperimentSays() throws IOException {
        run(twoNodes().only(List.of("a"), List.of()).withDisturbed(new HostBound(-1, 2)));

        assertThat(told).filteredOn(one -> one.equals("01-a-put disturbed")).hasSize(2);
        assertThat(statuses()).containsExactly("01-a-put done");
        Map<?, ?> step = (Map<?, ?>) ((List<?>) json("run.json").get("steps")).getFirst();
        assertThat(step.get("discarded")).isEqualTo(2);
        assertThat(json("runs/01-a-put/load.json").get("schema")).isEqualTo("kvant-load/1");
    }

    @Test
    void aStepThatTheHostLeftAloneIsMeasuredOnce() throws IOException {
        run(twoNodes().only(List.of("a"), List.of()).withDisturbed(new HostBound(1, 2)));

        assertThat(told).doesNotContain("01-a-put disturbed");
        Map<?, ?> step = (Map<?, ?>) ((List<?>) json("run.json").get("steps")).getFirst();
        assertThat(step.get("discarded")).isEqualTo(0);
    }

    /// A server that starts once: what it was measured with stays, disturbed as it was.
    @Test
    void anAttemptThatFailsLeavesTheOneBeforeIt() throws IOException {
        String variants = "  - {name: a, serve: {once: \"%s\"}}\n".formatted(folder.resolve("started"));
        run(experiment(variants, "").withDisturbed(new HostBound(-1, 2)));

        assertThat(told).filteredOn(one -> one.equals("01-a-put disturbed")).hasSize(1);
        assertThat(statuses()).containsExactly("01-a-put done");
        Map<?, ?> step = (Map<?, ?>) ((List<?>) json("run.json").get("steps")).getFirst();
        assertThat(step.get("discarded")).isEqualTo(0);
        assertThat(json("runs/01-a-put/load.json").get("schema")).isEqualTo("kvant-load/1");
        assertThat(folder.resolve("out/runs/01-a-put_before")).doesNotExist();
    }

    @Test
    void onAHostThatIsNeverCalmNothingIsMeasuredAgainAfterAWhile() throws IOException {
        run(twoNodes().withRepeats(4).withDisturbed(new HostBound(-1, 1)));

        assertThat(told).filteredOn(one -> one.endsWith(" disturbed")).hasSize(CalmRule.MOST_NEVER_CALM);
        assertThat(statuses()).hasSize(8).allMatch(one -> one.endsWith(" done"));
    }

    /// A run beyond its time measures no step again.
    @Test
    void aRunWhoseTimeIsSpentMeasuresNothingAgain() throws IOException {
        Experiment experiment = twoNodes().withDisturbed(new HostBound(-1, 20));
        LabRun.run(request(experiment, new UntilDecided(1), _ -> ""), new Instruments() {}, listener, stop);

        assertThat(told).doesNotContain("01-a-put disturbed");
        assertThat(statuses()).contains("01-a-put done", "01-b-put done");
    }

    /// The rule must not change when figures are there: that would change the answer.
    @Test
    void whichBlocksAreLeftOutWasSettledWhenTheRunBegan() throws IOException {
        run(twoNodes().only(List.of("a"), List.of()).withDisturbed(new HostBound(0.3, 0)));
        Path experiment = folder.resolve("out/experiment.yaml");
        String text = Files.readString(experiment);
        assertThat(text).contains("disturbed: \"30%\"");
        Files.writeString(experiment, text.replace("disturbed: \"30%\"", "disturbed: off"));
        resume();

        assertThat(((Map<?, ?>) json("run.json").get("experiment")).get("disturbedAbove"))
                .isEqualTo(0.3);
    }

    @Test
    void aStepThatIsStoppedUnderLoadIsPlannedAgain() throws IOException {
        Experiment experiment = twoNodes().withPhases(phase -> phase.with("duration", "60s"));
        LabRun.run(
                request(experiment, _ -> ""),
                new Instruments() {},
                new RunListener() {
                    @Override
                    public void measured(Window window, double seconds, double ofSeconds) {
                        stop.stop();
                    }
                },
                stop);

        assertThat(statuses()).containsExactly("01-a-put planned", "01-b-put planned");
        assertThat(json("run.json").toString()).contains("kind=stoppedBeforeItsEnd", "{kind=stepsToGo, n=2, of=2}");
    }

    @Test
    void aFolderThatIsNotOursIsNotTouched() throws IOException {
        Path out = Files.createDirectories(folder.resolve("out"));
        Files.writeString(out.resolve("thesis.txt"), "years of work");

        assertThatThrownBy(() -> run(twoNodes())).hasMessageContaining("exists already: choose another '--out'");
        assertThatThrownBy(this::resume).hasMessageContaining("was not created by 'kvant lab run'");
        assertThat(out).isDirectoryContaining("glob:**thesis.txt");
        assertThat(Stream.of(out.toFile().list())).containsExactly("thesis.txt");
    }

    @Test
    void twoRunsCannotHaveOneFolder() throws IOException {
        run(twoNodes().only(List.of("a"), List.of()));
        try (RunFolder _ = RunFolder.resume(folder.resolve("out"))) {
            assertThatThrownBy(this::resume).hasMessageContaining("is in use by another 'kvant lab run'");
        }
        assertThatThrownBy(() -> run(twoNodes())).hasMessageContaining("exists already");
    }

    @Test
    void whatAKilledRunLeftIsClearedByTheNext() throws Exception {
        run(twoNodes().only(List.of("a"), List.of()));
        Path remains = Files.createDirectories(work().resolve("kvant-lab-123"));
        Files.createFile(remains.resolve(".kvant-lab-work"));
        Path alien = Files.createDirectories(folder.resolve("kvant-lab-alien"));
        Path note = folder.resolve("out/.kvant-lab-running");
        Process orphan = new ProcessBuilder("sleep", "60").start();
        long born = orphan.toHandle().info().startInstant().orElseThrow().toEpochMilli();

        Files.writeString(note, alien + "\n" + orphan.pid() + " " + (born + 1000) + "\n");
        resume();
        assertThat(orphan.isAlive())
                .as("a process that only has the number of ours")
                .isTrue();
        assertThat(alien).as("a folder without our mark").exists();

        Files.writeString(note, remains + "\n" + orphan.pid() + " " + born + "\n");
        resume();
        assertThat(orphan.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(remains).doesNotExist();
        assertThat(note).doesNotExist();
    }

    /// Writes down what it is asked for.
    private final class FakeInstruments implements Instruments {

        @Override
        public Runnable profile(long pid, Profiling wish, long slowNanos, Path profiles) {
            assertThat(ProcessHandle.of(pid)).isPresent();
            assertThat(profiles).isEmptyDirectory();
            if (profiles.endsWith("b-put")) {
                throw new UserException("cannot attach");
            }
            told.add("profile " + profiles.getFileName() + " " + wish.events() + " " + slowNanos);
            return () -> {
                assertThat(ProcessHandle.of(pid)).isPresent();
                for (String name : List.of("a-put", "c-put")) {
                    write(profiles.resolveSibling(name).resolve("cpu.collapsed"));
                }
            };
        }

        @Override
        public void difference(Path a, String nameA, Path b, String nameB, String event, Path html, Path json) {
            told.add("difference " + a.getParent().getFileName() + " "
                    + b.getParent().getFileName() + " " + html.getFileName());
        }

        @Override
        public void report(Path results) {
            told.add("report");
        }

        private static void write(Path file) {
            try {
                Files.createDirectories(file.getParent());
                Files.writeString(file, "a 1\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void profilesComeAfterTheFiguresAndAMissingOneIsSaid() throws IOException {
        Experiment experiment = experiment(
                "  - {name: a}\n  - {name: b}\n  - {name: c}\n",
                "profile: {events: [cpu], slow: 1ms, variants: [a, b]}\n"
                        + "questions: [{id: q, text: x, compare: [a, c]}, {id: r, text: x, compare: [a, b]}]\n");
        LabRun.Outcome outcome = run(experiment, new FakeInstruments());

        assertThat(told)
                .endsWith(
                        "p1-a-put 4/5",
                        "profile a-put [cpu] 1000000",
                        "p1-b-put 5/5",
                        "difference a-put c-put diff-a-c-put-cpu.html",
                        "report");
        assertThat(outcome.partialReason()).isNull();
        assertThat(isMissing(outcome, "ProfileOf[variant=b, phase=put]", "cannot attach"))
                .isTrue();
        Map<?, ?> cost = (Map<?, ?>) json("run.json").get("cost");
        assertThat(((Number) cost.get("profilerP99Ratio")).doubleValue()).isPositive();
    }
}
