package kvant.lab.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.ExperimentLint;
import kvant.lab.experiment.ExperimentText;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Shipped;
import kvant.lab.experiment.Step;
import kvant.lab.process.Folders;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Identity;
import kvant.lab.result.Machine;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.StepRecord;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.RunListener.Eta;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.lab.run.StepRunner.CalmRule;
import kvant.load.loop.StopSwitch;
import kvant.load.net.Realtime;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// A run of an experiment: step by step, each on its own served process, into a folder of results.
///
///     preflight -> step, run.json, step, run.json, ... -> differences of profiles -> report
///
/// Failures are recorded, and the run continues with the rest. When the stop switch is used, the current step is
/// discarded; all earlier steps are kept, and [#resumed] continues from there.
///
/// Belongs to the calling thread.
public final class LabRun {

    static final String EXPERIMENT = "experiment.yaml";

    /// Number of failed starts in a row after which a variant is not tried again.
    private static final int MOST_FAILED_STARTS = 2;

    private final RunRequest request;
    private final RunFolder results;
    private final RunState state;
    private final Instruments instruments;
    private final RunListener listener;
    private final StopSwitch stop;
    private final Machine machine = Machine.ofThis();
    private final Map<String, Remark> obstacles;
    private final Map<String, Integer> failures = new HashMap<>();
    private final long beginNanos = System.nanoTime();
    private final double spentBefore; // share of the time limit of a run until decided
    private double planned;
    private double took;

    private LabRun(
            RunRequest request,
            RunFolder results,
            RunState state,
            Instruments instruments,
            RunListener listener,
            StopSwitch stop,
            Map<String, Remark> obstacles) {
        this.request = request;
        this.results = results;
        this.state = state;
        this.instruments = instruments;
        this.listener = listener;
        this.stop = stop;
        this.obstacles = obstacles;
        UntilDecided limit = state.untilDecided();
        this.spentBefore = limit == null ? 0 : limit.spent();
    }

    /// The outcome of a run.
    ///
    /// @param partialReason null if everything was measured
    public record Outcome(
            Path folder, @Nullable Remark partialReason, List<Missing> missing, double generatorBusiest) {}

    /// Runs an experiment from its first step.
    ///
    /// @throws UserException when no variant can run, or the folder exists
    public static Outcome run(RunRequest request, Instruments instruments, RunListener listener, StopSwitch stop) {
        Map<String, Remark> obstacles = obstacles(request);
        List<Remark> warnings =
                ExperimentLint.of(request.experiment(), Runtime.getRuntime().availableProcessors());
        warnings.forEach(listener::warning);
        try (RunFolder results = RunFolder.create(request.folder())) {
            Folders.write(results.resolve(EXPERIMENT), ExperimentText.of(request.experiment()));
            RunState state = RunState.begin(request.experiment(), request.untilDecided(), warnings);
            return new LabRun(request, results, state, instruments, listener, stop, obstacles).toItsEnd();
        }
    }

    /// Checks a folder early, before other preparations take time.
    ///
    /// @throws UserException when the folder exists and is not empty
    public static void requireNew(Path folder) {
        RunFolder.requireNew(folder);
    }

    /// The experiment of a result folder.
    ///
    /// @throws UserException when the folder contains no run
    public static Experiment experimentOf(Path folder) {
        if (!Files.isRegularFile(folder.resolve(RunFolder.MARKER))) {
            throw RunFolder.notOurs(folder);
        }
        return Shipped.file(folder.resolve(EXPERIMENT)).read(Scale.FULL);
    }

    /// Resumes an interrupted run, or one with failures.
    ///
    /// @param request its experiment is that of the folder
    /// @throws UserException when the folder contains no run
    public static Outcome resumed(RunRequest request, Instruments instruments, RunListener listener, StopSwitch stop) {
        try (RunFolder results = RunFolder.resume(request.folder())) {
            RunResources.clearRemains(results.root());
            results.discardBefore();
            RunRecord run = RunRecord.read(results.root());
            RunState state = RunState.restored(run, results, request.experiment());
            if (state.open().isEmpty() && state.untilDecided() == null) {
                listener.nothingToDo();
            } else if (!run.kvant().equals(request.identity())) {
                Identity now = request.identity();
                state.warn(new Remark.OtherVersion(
                        run.kvant().version(),
                        Objects.requireNonNullElse(run.kvant().commit(), ""),
                        now.version(),
                        Objects.requireNonNullElse(now.commit(), "")));
            }
            return new LabRun(request, results, state, instruments, listener, stop, obstacles(request)).toItsEnd();
        }
    }

    /// True if each step of the run in a folder was measured; false without a record.
    public static boolean isComplete(Path folder) {
        return Files.isRegularFile(folder.resolve(RunRecord.NAME))
                && RunRecord.read(folder).status() == RunRecord.Status.COMPLETE;
    }

    /// Deletes a result folder, and the remains of its interrupted run.
    ///
    /// @throws UserException when the folder contains no run, or is in use
    public static void discard(Path folder) {
        try (RunFolder results = RunFolder.resume(folder)) {
            RunResources.clearRemains(results.root());
        }
        Folders.discard(folder);
    }

    private static Map<String, Remark> obstacles(RunRequest request) {
        Map<String, Remark> obstacles = Preflight.obstacles(request.experiment(), request.kvant(), request.obstacle());
        if (obstacles.size() == request.experiment().variants().size()) {
            throw new ServerException(obstacles.values().iterator().next());
        }
        return obstacles;
    }

    private Outcome toItsEnd() {
        obstacles.forEach((variant, why) -> {
            listener.leftOut(variant, why);
            state.missing(new Remark.VariantOf(variant), why);
        });
        state.versions(Preflight.versions(request.experiment(), obstacles.keySet()));
        List<Step> open = state.open();
        if (!open.isEmpty() || state.untilDecided() != null) {
            runWithResources();
        }
        writeProfileDifferences();
        save();
        report();
        return new Outcome(results.root(), state.partialReason(), state.missing(), state.generatorBusiest());
    }

    /// @param asAsked whether it conforms to the experiment; a deviation is shown immediately, not only in the report
    private void note(Remark remark, boolean asAsked) {
        state.warn(remark);
        if (!asAsked) {
            listener.warning(remark);
        }
    }

    /// Whether the generator has realtime priority: wanted and permitted.
    private boolean isRealtime() {
        if (!state.experiment().realtime()) {
            return false;
        }
        String obstacle = Realtime.obstacle();
        boolean may = obstacle.isEmpty();
        note(may ? new Remark.SendsInRealtime() : new Remark.NoRealtime(obstacle), may);
        return may;
    }

    private void runWithResources() {
        RunResources resources = new RunResources(results.root(), request.work());
        Thread hook = new Thread(resources::close, "kvant-lab-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (state.experiment().awake()) {
                Remark remark = resources.keepAwake();
                note(remark, remark instanceof Remark.ProcessorsKeptAwake);
            }
            CalmRule rule = new CalmRule(state.experiment().disturbed(), stop, this::hasTime);
            StepRunner runner = new StepRunner(
                    request, results, resources, instruments, listener, stop, isRealtime(), rule, state::missing);
            UntilDecided limit = state.untilDecided();
            if (limit == null) {
                runSteps(state.open(), runner);
            } else {
                runUntilDecided(runner, limit);
                runSteps(state.open().stream().filter(Step::profiled).toList(), runner);
            }
        } finally {
            resources.close();
            forget(hook);
        }
    }

    /// Whether there is time to repeat a disturbed step, with time reserved for the profiled steps at the end.
    private boolean hasTime() {
        UntilDecided limit = state.untilDecided();
        List<Step> profiles = state.open().stream().filter(Step::profiled).toList();
        return limit == null || left(profiles, 1).toNanos() < leftNanos(limit);
    }

    /// Remaining time of a run until decided. The share used before the run was resumed is subtracted.
    private long leftNanos(UntilDecided limit) {
        return (long) ((1 - spentBefore) * limit.atMostNanos()) - (System.nanoTime() - beginNanos);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // the JVM is shutting down, and the hook runs
        }
    }

    /// Runs whole blocks of rounds until all questions are decided or the time is used up; towards the end only for
    /// those questions that the time suffices for. The profiled steps come afterwards, and have time reserved.
    private void runUntilDecided(StepRunner runner, UntilDecided limit) {
        if (limit.spent() < 1) { // otherwise the final analysis has used up the error budget
            runSteps(state.open().stream().filter(step -> !step.profiled()).toList(), runner);
        }
        boolean goesOn = true;
        while (goesOn && !stop.isStopped()) {
            List<Instruments.Undecided> open = undecided(spent(limit));
            List<Step> next = state.nextBlock(timeToGo(open, limit).nearestFirst(), steps -> isTimeFor(steps, limit));
            goesOn = !next.isEmpty();
            if (!goesOn && !open.isEmpty()) {
                open = undecided(1); // the final analysis uses the rest of the error budget
            }
            listener.looked(timeToGo(open, limit), goesOn);
            if (goesOn) {
                state.extend(next);
                runSteps(next, runner);
                goesOn = next.stream().anyMatch(state::isDone); // a failed step will fail again
                if (!goesOn && !stop.isStopped()) {
                    listener.looked(timeToGo(undecided(1), limit), false);
                }
            }
        }
    }

    /// True if there is time for these steps in addition to those already planned.
    private boolean isTimeFor(List<Step> steps, UntilDecided limit) {
        List<Step> all = Stream.of(steps, state.planned()).flatMap(List::stream).toList();
        return left(all, pace()).toNanos() <= leftNanos(limit);
    }

    private double spent(UntilDecided limit) {
        return Math.clamp(1 - (double) leftNanos(limit) / limit.atMostNanos(), 0, 1);
    }

    private Eta timeToGo(List<Instruments.Undecided> open, UntilDecided limit) {
        List<Step> profiles = state.open().stream().filter(Step::profiled).toList();
        Duration left = Duration.ofNanos(Math.max(0, leftNanos(limit)));
        return Eta.of(state.experiment(), open, pace(), left(profiles, pace()), left);
    }

    /// Analyses the answers.
    ///
    /// @param spent share of the time limit
    private List<Instruments.Undecided> undecided(double spent) {
        state.look(spent);
        save();
        try {
            return instruments.undecided(results.root());
        } catch (UserException e) {
            state.missing(new Remark.TheReport(), Remark.given(e));
            return List.of();
        }
    }

    /// Ratio of actual to estimated duration of steps: estimates are for another machine.
    private double pace() {
        return planned == 0 ? 1 : took / planned;
    }

    private void runSteps(List<Step> wanted, StepRunner runner) {
        save();
        List<Step> open = state.withRounds(wanted);
        int next = 0;
        while (next < open.size() && !stop.isStopped()) {
            List<Step> unit = state.unit(open.subList(next, open.size()));
            int begun = next;
            next += unit.size();
            List<Step> able = unit.stream().filter(this::isAble).toList();
            if (able.isEmpty()) {
                continue;
            }
            long begin = System.nanoTime();
            List<StepRecord> records = runner.run(able, step -> {
                int number = begun + unit.indexOf(step);
                listener.begins(step, number + 1, open.size(), left(open.subList(number, open.size()), pace()));
            });
            took += System.nanoTime() - begin;
            able.forEach(step -> planned += state.experiment().estimate(step).toNanos());
            for (StepRecord record : records) {
                // A server that answers nothing under one load may answer under the next.
                boolean down = record.status() == StepRecord.Status.FAILED
                        && !(record.reason() instanceof Remark.NobodyAnswered);
                failures.merge(record.variant(), down ? 1 : 0, (before, one) -> one == 0 ? 0 : before + 1);
                state.put(record);
                save();
                listener.ended(record);
            }
        }
    }

    /// True if its server may start; otherwise the step is skipped.
    private boolean isAble(Step step) {
        Optional<Remark> obstacle = obstacle(step);
        obstacle.ifPresent(why -> state.put(step.unmeasured(StepRecord.Status.SKIPPED, why)));
        return obstacle.isEmpty();
    }

    private Optional<Remark> obstacle(Step step) {
        @Nullable Remark why = obstacles.get(step.variant());
        if (why == null && failures.getOrDefault(step.variant(), 0) >= MOST_FAILED_STARTS) {
            why = new Remark.FailedInARow(MOST_FAILED_STARTS);
        }
        return Optional.ofNullable(why);
    }

    private Duration left(List<Step> steps, double pace) {
        double nanos = 0;
        for (Step step : steps) {
            nanos += obstacle(step).isPresent()
                    ? 0
                    : state.experiment().estimate(step).toNanos();
        }
        return Duration.ofNanos((long) (nanos * pace));
    }

    private void save() {
        Folders.write(results.resolve(RunRecord.NAME), RecordJson.write(state.record(request, machine)));
    }

    private void report() {
        try {
            instruments.report(results.root());
        } catch (UserException e) {
            state.missing(new Remark.TheReport(), Remark.given(e));
            save();
        }
    }

    /// Writes the differences between profiles for each pair of a question, if both sides have a profile.
    private void writeProfileDifferences() {
        Set<List<String>> done = new HashSet<>();
        for (Question question : state.experiment().questions()) {
            for (String other : question.compare().subList(1, question.compare().size())) {
                for (Phase phase : state.experiment().phases()) {
                    for (String event : state.experiment().profiling().events()) {
                        String first = question.compare().getFirst();
                        boolean asked =
                                question.phase().isEmpty() || question.phase().equals(phase.name());
                        if (asked && done.add(List.of(first, other, phase.name(), event))) {
                            writeProfileDifference(first, other, phase.name(), event);
                        }
                    }
                }
            }
        }
    }

    private void writeProfileDifference(String nameA, String nameB, String phase, String event) {
        Path profiles = results.resolve("profiles");
        Path a = profiles.resolve(nameA + "-" + phase).resolve(event + ".collapsed");
        Path b = profiles.resolve(nameB + "-" + phase).resolve(event + ".collapsed");
        if (!Files.exists(a) || !Files.exists(b)) {
            return;
        }
        String name = "diff-" + nameA + "-" + nameB + "-" + phase + "-" + event;
        for (String variant : List.of(nameA, nameB)) {
            if ((variant.equals(nameA) ? a : b).toFile().length() == 0) {
                state.missing(new Remark.FileOf(name), new Remark.NothingSampled(variant));
                return;
            }
        }
        try {
            instruments.difference(
                    a, nameA, b, nameB, event, profiles.resolve(name + ".html"), profiles.resolve(name + ".json"));
        } catch (UserException e) {
            state.missing(new Remark.FileOf(name), Remark.given(e));
        }
    }

    /// The specification of a run.
    ///
    /// @param folder of results, which must not exist
    /// @param work parent of a temporary folder for data
    /// @param obstacle returns the reason why `kvant serve` refuses these options, or an empty text
    /// @param untilDecided null if the experiment fixes the number of rounds
    /// @param command command line that repeats the run
    public record RunRequest(
            Experiment experiment,
            @Nullable UntilDecided untilDecided,
            Path folder,
            Path work,
            KvantCommand kvant,
            Function<List<String>, String> obstacle,
            String command,
            Identity identity) {}
}
