package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Profiling;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.result.Disturbance;
import kvant.lab.result.LoadRemarks;
import kvant.lab.result.Missing;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.RecordJson;
import kvant.lab.result.Remark;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.load.host.HostFacts;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.run.LoadRun;
import kvant.load.run.Prefill;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Runs one step: start a server with empty data, fill it, warm it up, measure it, stop it, and
/// write down what both sides saw.
///
/// Owned by the thread of the run.
final class StepRunner {

    private final Experiment experiment;
    private final KvantCommand kvant;
    private final ResultFolder results;
    private final RunResources resources;
    private final Instruments instruments;
    private final RunListener listener;
    private final StopSwitch stop;
    private final List<Missing> complaints = new ArrayList<>(); // of the attempt that goes on

    StepRunner(
            RunRequest request,
            ResultFolder results,
            RunResources resources,
            Instruments instruments,
            RunListener listener,
            StopSwitch stop) {
        this.experiment = request.experiment();
        this.kvant = request.kvant();
        this.results = results;
        this.resources = resources;
        this.instruments = instruments;
        this.listener = listener;
        this.stop = stop;
    }

    /// What became of a step, once.
    ///
    /// @param disturbedBy nobody where it was not measured
    /// @param complaints what is missing of it
    record Attempt(StepRecord record, Set<Disturbance> disturbedBy, List<Missing> complaints) {

        Attempt {
            complaints = List.copyOf(complaints);
        }
    }

    /// Never throws for what goes wrong on the side of the server.
    Attempt run(Step step) {
        String startedAt = Instant.now().toString();
        complaints.clear();
        try {
            Attempt result = attempt(step);
            return stop.isStopped() ? unmeasured(stopped(step)) : result;
        } catch (ServerException e) {
            return unmeasured(stop.isStopped() ? stopped(step) : failed(step, e.reason(), startedAt));
        } catch (UserException e) {
            return unmeasured(stop.isStopped() ? stopped(step) : failed(step, given(e), startedAt));
        } finally {
            resources.work().forget(step.id());
        }
    }

    private Attempt unmeasured(StepRecord record) {
        return new Attempt(record, Set.of(), complaints);
    }

    private void missing(Remark what, Remark why) {
        complaints.add(new Missing(what, why));
    }

    private static StepRecord stopped(Step step) {
        return Steps.planned(step, new Remark.StoppedBeforeItsEnd());
    }

    private static Remark given(UserException why) {
        return new Remark.Given(String.valueOf(why.getMessage()));
    }

    private StepRecord failed(Step step, Remark reason, String startedAt) {
        Path log = results.folder(step).resolve("node.log");
        Map<String, String> files = Files.exists(log) ? Map.of("log", results.relative(log)) : Map.of();
        return Steps.failed(step, reason, startedAt, files);
    }

    private Attempt attempt(Step step) {
        Path folder = emptied(results.folder(step));
        Variant variant = experiment.variant(step.variant());
        Phase phase = experiment.phaseOf(step);
        Path work = resources.work().forStep(step.id());
        Path settings = work.resolve("recording.jfc");
        instruments.writeRecordingSettings(settings);
        Launch launch =
                Launch.of(variant.server(), kvant, folder, work, settings).withNice(experiment.nice());
        listener.doing("starting");
        Measured measured;
        try (ServedProcess served = resources.start(launch)) {
            Target target = served.awaitReady(stop);
            LoadPlan plan = instruments.keepingSlow(phase.plan(target, variant, step.repeat()));
            if (phase.prefill() > 0) {
                Prefill.run(plan, phase.prefill(), stop, listener);
            }
            measured = measure(step, plan, served);
            listener.doing("stopping");
            boolean _ = served.stop();
        }
        return written(step, launch, measured, folder);
    }

    private static Path emptied(Path folder) {
        try {
            Folders.delete(folder); // of an attempt that was broken off
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException("cannot empty " + folder + ": " + Folders.reason(e), e);
        }
    }

    /// What a load gave.
    ///
    /// @param reason why it is not what was planned, or null
    /// @param fromNanos start of the measured time, of `System.nanoTime`
    private record Measured(
            RunResult result, @Nullable Remark reason, ProcessSampler sampler, long pid, long fromNanos) {

        ProcessFigures figures() {
            return ProcessSampler.figures(sampler.samples(), pid, fromNanos, result);
        }
    }

    private Measured measure(Step step, LoadPlan plan, ServedProcess served) {
        try (ProcessSampler sampler = ProcessSampler.start(served.handle());
                StepProgress progress = new StepProgress(listener, sampler, () -> profile(step, served.pid()))) {
            if (plan.pace().warmup().isNone()) {
                progress.begin();
            }
            RunResult result = LoadRun.run(plan, stop, progress);
            sampler.now();
            long sinceStart =
                    Duration.between(result.startedAt(), Instant.now()).toNanos();
            long from = System.nanoTime() - sinceStart;
            return new Measured(result, reason(result, served), sampler, served.pid(), from);
        }
    }

    /// A load that is short may not notice that nobody is there any more.
    private static @Nullable Remark reason(RunResult result, ServedProcess served) {
        if (!served.isAlive()) {
            return new Remark.ServerEndedUnderLoad(served.exitCode(), served.lastWords());
        }
        if (result.warmup().hasFailed()) {
            RequestCounts warmup = result.warmup().counts();
            return new Remark.WarmupFailed(warmup.failedCount(), warmup.sentCount());
        }
        if (!result.partial().isEmpty()) {
            return LoadRemarks.of(result.partial());
        }
        boolean silent = result.counts().answeredCount() == 0 && result.counts().sentCount() > 0;
        return silent ? new Remark.NobodyAnswered(result.counts().sentCount()) : null;
    }

    /// Begins a profile where the step is one of a profile.
    private Instruments.@Nullable Recording profile(Step step, long pid) {
        if (!step.profiled()) {
            return null;
        }
        Path folder = emptied(results.profiles(step));
        Profiling wish = experiment.profiling();
        Remark what = new Remark.ProfileOf(step.variant(), step.phase());
        try {
            Instruments.Recording recording = instruments.profile(pid, wish, wish.slowNanos(), folder);
            return () -> {
                try {
                    recording.stop();
                } catch (UserException e) {
                    missing(what, given(e));
                }
            };
        } catch (UserException e) {
            missing(what, given(e));
            return null;
        }
    }

    private Attempt written(Step step, Launch launch, Measured measured, Path folder) {
        RunResult result = measured.result();
        Map<String, String> files = new LinkedHashMap<>();
        Path load = folder.resolve("load.json");
        LoadResult loadResult = LoadResult.of(result);
        Folders.write(load, ResultFile.text(loadResult));
        files.put("load", results.relative(load));
        JfrEvents events = events(step, launch, result);
        Path samples = folder.resolve("samples.json");
        Folders.write(samples, RecordJson.write(samples(measured, events)));
        files.put("samples", results.relative(samples));
        attribute(step, launch, result, load, folder);
        addFiles(files, folder);
        StepRecord record = new StepRecord(
                step.id(),
                step.variant(),
                step.phase(),
                step.repeat(),
                step.profiled(),
                measured.reason() == null ? StepRecord.Status.DONE : StepRecord.Status.FAILED,
                measured.reason(),
                result.startedAt().toString(),
                events.addedTo(measured.figures()),
                result.totals().response().getValueAtPercentile(99),
                result.busy(),
                0,
                files);
        return new Attempt(record, disturbance(record, loadResult.host()), complaints);
    }

    /// What the server and the tail left there.
    private void addFiles(Map<String, String> files, Path folder) {
        List<String> kinds = List.of("jfr", "gc", "log", "slow", "tail");
        List<String> names = List.of("node.jfr", "gc.log", "node.log", "slow.json", "tail.json");
        for (int i = 0; i < kinds.size(); i++) {
            Path file = folder.resolve(names.get(i));
            if (Files.exists(file)) {
                files.put(kinds.get(i), results.relative(file));
            }
        }
    }

    private Set<Disturbance> disturbance(StepRecord record, HostFacts host) {
        return record.isDone()
                ? Disturbance.of(
                        host,
                        record.process().userProcessors(),
                        experiment.disturbed().above())
                : Set.of();
    }

    private JfrEvents events(Step step, Launch launch, RunResult result) {
        if (!Files.exists(launch.recording())) {
            return JfrEvents.NONE;
        }
        try {
            JfrEvents events =
                    JfrEvents.read(launch.recording(), result.startedAt(), Duration.ofNanos(result.elapsedNanos()));
            if (events.lostBytes() > 0) {
                missing(new Remark.EventsOf(step.id()), new Remark.EventsLost(events.lostBytes()));
            }
            return events;
        } catch (IOException e) {
            missing(new Remark.EventsOf(step.id()), new Remark.RecordingUnreadable(String.valueOf(e.getMessage())));
            return JfrEvents.NONE;
        }
    }

    private static SamplesRecord samples(Measured measured, JfrEvents events) {
        Instant start = measured.result().startedAt();
        return SamplesRecord.of(
                start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                measured.sampler().since(measured.fromNanos()),
                events.events());
    }

    private void attribute(Step step, Launch launch, RunResult result, Path load, Path folder) {
        Path slow = folder.resolve("slow.json");
        try {
            instruments.writeSlow(result, slow);
            @Nullable Path recording = Files.exists(launch.recording()) ? launch.recording() : null;
            instruments.attribute(load, slow, recording, folder.resolve("tail.json"));
        } catch (UserException e) {
            missing(new Remark.AttributionOf(step.id()), given(e));
        }
    }
}
