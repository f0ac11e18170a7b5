package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.LabException;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Profiling;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.http.Target;
import kvant.lab.load.LoadPlan;
import kvant.lab.load.LoadRun;
import kvant.lab.load.Prefill;
import kvant.lab.load.RunResult;
import kvant.lab.load.StopSwitch;
import kvant.lab.report.Json;
import kvant.lab.report.JsonReport;
import org.jspecify.annotations.Nullable;

/// Runs one step: start a server with empty data, fill it, warm it up, measure it, stop it, and
/// write down what both sides saw.
///
/// Owned by the thread of the run.
final class StepRunner {

    /// Whom it tells what is missing, as `(what, why)`.
    interface Complaints {
        void missing(String what, String why);
    }

    private final Experiment experiment;
    private final KvantCommand kvant;
    private final ResultFolder results;
    private final Custody custody;
    private final Instruments instruments;
    private final RunListener listener;
    private final StopSwitch stop;
    private final Complaints complaints;

    StepRunner(
            RunRequest request,
            ResultFolder results,
            Custody custody,
            Instruments instruments,
            RunListener listener,
            StopSwitch stop,
            Complaints complaints) {
        this.experiment = request.experiment();
        this.kvant = request.kvant();
        this.results = results;
        this.custody = custody;
        this.instruments = instruments;
        this.listener = listener;
        this.stop = stop;
        this.complaints = complaints;
    }

    /// Never throws for what goes wrong on the side of the server.
    StepResult run(Step step) {
        String startedAt = Instant.now().toString();
        try {
            StepResult result = attempt(step);
            return stop.isStopped() ? StepResult.planned(step, "stopped before its end") : result;
        } catch (LabException e) {
            return stop.isStopped()
                    ? StepResult.planned(step, "stopped before its end")
                    : failed(step, String.valueOf(e.getMessage()), startedAt);
        } finally {
            custody.work().forget(step.id());
        }
    }

    private StepResult failed(Step step, String reason, String startedAt) {
        Path log = results.folder(step).resolve("node.log");
        Map<String, String> files = Files.exists(log) ? Map.of("log", results.relative(log)) : Map.of();
        return new StepResult(step, StepResult.Status.FAILED, reason, startedAt, ProcessFigures.NONE, 0, 0, files);
    }

    private StepResult attempt(Step step) {
        Path folder = emptied(results.folder(step));
        Variant variant = experiment.variant(step.variant());
        Phase phase = experiment.phaseOf(step);
        Path work = custody.work().forStep(step.id());
        Path settings = work.resolve("recording.jfc");
        instruments.writeRecordingSettings(settings);
        Launch launch = Launch.of(variant.server(), kvant, folder, work, settings);
        listener.doing("starting");
        Measured measured;
        try (ServedProcess served = custody.start(launch)) {
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
            throw new LabException("cannot empty " + folder + ": " + Folders.reason(e), e);
        }
    }

    /// What a load gave.
    ///
    /// @param trouble why it is not what was planned, or empty
    /// @param fromNanos start of the measured time, of `System.nanoTime`
    private record Measured(RunResult result, String trouble, ProcessSampler sampler, long pid, long fromNanos) {

        ProcessFigures figures() {
            return sampler.figures(
                    pid,
                    fromNanos,
                    fromNanos + result.elapsedNanos(),
                    result.tally().answeredCount());
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
            return new Measured(result, trouble(result, served), sampler, served.pid(), from);
        }
    }

    /// A load that is short may not notice that nobody is there any more.
    private static String trouble(RunResult result, ServedProcess served) {
        return served.isAlive() ? result.partial() : "the server ended under load" + served.lastWords();
    }

    /// Begins a profile where the step is one of a profile.
    private Instruments.@Nullable Recording profile(Step step, long pid) {
        if (!step.profiled()) {
            return null;
        }
        Path folder = emptied(results.profiles(step));
        Profiling wish = experiment.profiling();
        String what = "profile of " + step.variant() + " in " + step.phase();
        try {
            Instruments.Recording recording = instruments.profile(pid, wish, wish.slowNanos(), folder);
            return () -> {
                try {
                    recording.stop();
                } catch (LabException e) {
                    complaints.missing(what, String.valueOf(e.getMessage()));
                }
            };
        } catch (LabException e) {
            complaints.missing(what, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private StepResult written(Step step, Launch launch, Measured measured, Path folder) {
        RunResult result = measured.result();
        Map<String, String> files = new LinkedHashMap<>();
        Path load = folder.resolve("load.json");
        Folders.write(load, JsonReport.of(result));
        files.put("load", results.relative(load));
        JfrEvents events = events(step, launch, result);
        Path samples = folder.resolve("samples.json");
        Folders.write(samples, samples(measured, events));
        files.put("samples", results.relative(samples));
        attribute(step, launch, result, load, folder);
        List<String> kinds = List.of("jfr", "gc", "log", "slow", "tail");
        List<String> names = List.of("node.jfr", "gc.log", "node.log", "slow.json", "tail.json");
        for (int i = 0; i < kinds.size(); i++) {
            Path file = folder.resolve(names.get(i));
            if (Files.exists(file)) {
                files.put(kinds.get(i), results.relative(file));
            }
        }
        return new StepResult(
                step,
                measured.trouble().isEmpty() ? StepResult.Status.DONE : StepResult.Status.FAILED,
                measured.trouble(),
                result.startedAt().toString(),
                measured.figures().with(events),
                result.sums().response().getValueAtPercentile(99),
                result.busy(),
                files);
    }

    private JfrEvents events(Step step, Launch launch, RunResult result) {
        if (!Files.exists(launch.recording())) {
            return JfrEvents.NONE;
        }
        try {
            return JfrEvents.read(launch.recording(), result.startedAt(), Duration.ofNanos(result.elapsedNanos()));
        } catch (IOException e) {
            complaints.missing("events of " + step.id(), "the flight recording cannot be read: " + e.getMessage());
            return JfrEvents.NONE;
        }
    }

    private static String samples(Measured measured, JfrEvents events) {
        Json json = new Json().open();
        Instant start = measured.result().startedAt();
        json.put("originEpochNanos", start.getEpochSecond() * 1_000_000_000L + start.getNano());
        measured.sampler().write(json, measured.fromNanos());
        events.write(json);
        return json.close().toString();
    }

    private void attribute(Step step, Launch launch, RunResult result, Path load, Path folder) {
        Path slow = folder.resolve("slow.json");
        try {
            instruments.writeSlow(result, slow);
            @Nullable Path recording = Files.exists(launch.recording()) ? launch.recording() : null;
            instruments.attribute(load, slow, recording, folder.resolve("tail.json"));
        } catch (LabException e) {
            complaints.missing("tail attribution of " + step.id(), String.valueOf(e.getMessage()));
        }
    }
}
