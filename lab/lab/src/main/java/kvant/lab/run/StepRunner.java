package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Profiling;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.process.Folders;
import kvant.lab.process.ProcessSampler;
import kvant.lab.result.Disturbance;
import kvant.lab.result.Missing;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.run.LiveServer.Slice;
import kvant.lab.run.StepRunner.Attempt;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.run.Prefill;
import kvant.load.run.RunResult;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Runs steps: starts a server with empty data, fills it, warms it up, measures it, stops it, and records the
/// observations of both sides. A step disturbed from outside is repeated as often as the experiment allows: the first
/// calm attempt counts, otherwise the last one. A profiled step is not repeated, because it is not compared.
///
/// Belongs to the thread of the run.
final class StepRunner {

    private final Experiment experiment;
    private final KvantCommand kvant;
    private final RunFolder results;
    private final RunResources resources;
    private final Instruments instruments;
    private final RunListener listener;
    private final StopSwitch stop;
    private final boolean realtime;
    private final CalmRule rule;
    private final BiConsumer<Remark, Remark> heard;
    private final StepWriter writer;
    private final List<Missing> complaints = new ArrayList<>(); // of the current attempt

    /// @param realtime whether the generator has realtime priority
    /// @param heard receives missing results of a step that counts, with the reason
    StepRunner(
            RunRequest request,
            RunFolder results,
            RunResources resources,
            Instruments instruments,
            RunListener listener,
            StopSwitch stop,
            boolean realtime,
            CalmRule rule,
            BiConsumer<Remark, Remark> heard) {
        this.experiment = request.experiment();
        this.kvant = request.kvant();
        this.results = results;
        this.resources = resources;
        this.instruments = instruments;
        this.listener = listener;
        this.stop = stop;
        this.realtime = realtime;
        this.rule = rule;
        this.heard = heard;
        this.writer = new StepWriter(results, instruments, this::missing);
    }

    /// The outcome of one attempt at a step.
    ///
    /// @param disturbedBy empty if it was not measured
    /// @param complaints missing results
    record Attempt(StepRecord record, Set<Disturbance> disturbedBy, List<Missing> complaints) {

        Attempt {
            complaints = List.copyOf(complaints);
        }

        /// True if the step is still to be measured.
        boolean isStopped() {
            return record.status() == StepRecord.Status.PLANNED;
        }
    }

    /// Runs steps that belong together, in order: all of an interleaved round, or a single one.
    ///
    /// @param begins called when a step starts
    List<StepRecord> run(List<Step> unit, Consumer<Step> begins) {
        Step first = unit.getFirst();
        List<Attempt> attempts = new ArrayList<>();
        if (rule.bound().isInterleaved() && !first.profiled()) {
            attempts.addAll(new InterleavedRound(this, rule, listener).run(unit, begins));
        } else {
            begins.accept(first);
            attempts.add(calm(first));
        }
        attempts.forEach(attempt -> attempt.complaints().forEach(one -> heard.accept(one.what(), one.why())));
        return attempts.stream().map(Attempt::record).toList();
    }

    private Attempt calm(Step step) {
        Attempt last = once(step);
        int discarded = 0;
        while (!last.disturbedBy().isEmpty() && !step.profiled() && rule.allowsAnother(discarded)) {
            listener.disturbed(step, last.disturbedBy());
            Attempt next = another(step);
            if (next.isStopped()) {
                return new Attempt(next.record(), Set.of(), List.of()); // what there was is not what would have counted
            }
            if (!next.record().isDone()) {
                break; // the earlier attempt is disturbed, but better than nothing
            }
            discarded++;
            last = next;
        }
        rule.ended(last.disturbedBy().isEmpty(), discarded);
        return new Attempt(last.record().after(discarded), last.disturbedBy(), last.complaints());
    }

    /// The files of the earlier attempt are restored if this one fails.
    private Attempt another(Step step) {
        Path folder = results.folder(step);
        Path before = results.before(step);
        Folders.replace(before, folder);
        Attempt next = once(step);
        if (next.record().isDone() || next.isStopped()) {
            Folders.discard(before);
        } else {
            Folders.replace(folder, before);
        }
        return next;
    }

    /// Never throws for failures of the server.
    private Attempt once(Step step) {
        Attempt result = tried(step);
        if (result.isStopped()) {
            discard(step);
        }
        return result;
    }

    private Attempt tried(Step step) {
        String startedAt = Instant.now().toString();
        complaints.clear();
        try {
            Attempt result = attempt(step);
            return stop.isStopped() ? unmeasured(step, new Remark.StoppedBeforeItsEnd(), "") : result;
        } catch (ServerException | UserException e) {
            return unmeasured(step, e, startedAt);
        } finally {
            forget(step);
        }
    }

    private void missing(Remark what, Remark why) {
        complaints.add(new Missing(what, why));
    }

    private Attempt attempt(Step step) {
        Slice measured;
        LiveServer live;
        try (LiveServer opened = open(step)) {
            live = opened;
            measured = opened.measure(
                    opened.plan(),
                    stop,
                    listener,
                    () -> profile(step, opened.served().pid()));
            listener.doing("stopping");
        }
        StepRecord record = written(live, measured.result(), List.of(measured));
        return new Attempt(record, record.isDone() ? disturbance(live, measured) : Set.of(), complaints);
    }

    /// Starts the server of a step and fills it.
    LiveServer open(Step step) {
        Path folder = emptied(results.folder(step));
        Variant variant = experiment.variant(step.variant());
        Phase phase = experiment.phaseOf(step);
        Path work = resources.workOf(step);
        Path settings = work.resolve("recording.jfc");
        instruments.writeRecordingSettings(settings);
        Launch launch =
                Launch.of(variant.server(), kvant, folder, work, settings).withNice(experiment.nice());
        listener.doing("starting");
        ServedProcess served = resources.start(launch);
        boolean ready = false;
        try {
            Target target = served.awaitReady(stop);
            LoadPlan plan = instruments.keepingSlow(timely(phase.plan(target, variant, step.repeat())));
            if (phase.prefill() > 0) {
                Prefill.run(plan, phase.prefill(), stop, listener);
            }
            LiveServer live = new LiveServer(step, launch, folder, served, ProcessSampler.start(served.handle()), plan);
            ready = true;
            return live;
        } finally {
            if (!ready) {
                served.close();
            }
        }
    }

    private LoadPlan timely(LoadPlan plan) {
        return plan.with(p -> p.clients = plan.clients().with(c -> c.realtime = realtime));
    }

    /// The causes that disturbed a server during its measurement.
    Set<Disturbance> disturbance(LiveServer live, Slice slice) {
        return Disturbance.of(
                slice.result().host(),
                live.figures(slice).userProcessors(),
                experiment.disturbed().above());
    }

    /// The outcome of a step of an interleaved round whose server has ended.
    ///
    /// @param result of all slices together
    Attempt written(LiveServer live, RunResult result, List<Slice> slices, int discarded) {
        complaints.clear();
        return new Attempt(written(live, result, slices).after(discarded), Set.of(), complaints);
    }

    private StepRecord written(LiveServer live, RunResult result, List<Slice> slices) {
        listener.answered(live.step(), result.counts());
        return writer.written(live, result, slices);
    }

    /// The outcome of a step that was not measured because of an exception.
    Attempt unmeasured(Step step, RuntimeException why, String startedAt) {
        return unmeasured(step, why instanceof ServerException server ? server.reason() : Remark.given(why), startedAt);
    }

    /// The outcome of a step whose server failed in the middle of its round.
    Attempt failed(Step step, Remark reason) {
        complaints.clear();
        return unmeasured(step, reason, Instant.now().toString());
    }

    private Attempt unmeasured(Step step, Remark reason, String startedAt) {
        Path log = results.folder(step).resolve("node.log");
        Map<String, String> files = Files.exists(log) ? Map.of("log", results.relative(log)) : Map.of();
        StepRecord record = stop.isStopped()
                ? step.unmeasured(StepRecord.Status.PLANNED, new Remark.StoppedBeforeItsEnd())
                : step.unmeasured(StepRecord.Status.FAILED, reason, startedAt, files);
        return new Attempt(record, Set.of(), complaints);
    }

    /// Deletes the data of a step.
    void forget(Step step) {
        resources.forget(step);
    }

    /// Deletes the files of a stopped step, which are no results.
    void discard(Step step) {
        try {
            Folders.discard(results.folder(step));
            if (step.profiled()) {
                Folders.discard(results.profiles(step));
            }
        } catch (UserException _) {
            // the step is not done, and its folder is emptied before it runs again
        }
    }

    StopSwitch stop() {
        return stop;
    }

    private static Path emptied(Path folder) {
        try {
            Folders.delete(folder); // of an interrupted attempt
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException("cannot empty " + folder + ": " + FileTrouble.writing(e), e);
        }
    }

    /// Starts a profile if the step is a profiled one.
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
                    missing(what, Remark.given(e));
                }
            };
        } catch (UserException e) {
            missing(what, Remark.given(e));
            return null;
        }
    }
}
