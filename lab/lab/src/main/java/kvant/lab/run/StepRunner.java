package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Profiling;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.process.Folders;
import kvant.lab.process.JfrEvents;
import kvant.lab.process.JfrEvents.Stretch;
import kvant.lab.process.ProcessSampler;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.SamplesRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.LiveServer.Slice;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.lab.run.StepRunner.Attempt;
import kvant.lab.tail.TailAttribution;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.result.LoadResult;
import kvant.load.result.RecordJson;
import kvant.load.result.ResultFile;
import kvant.load.run.Prefill;
import kvant.load.run.RunResult;
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
        Attempt last = once(step, 0);
        int discarded = 0;
        while (!last.disturbedBy().isEmpty() && !step.profiled() && rule.allowsAnother(discarded)) {
            listener.disturbed(step, last.disturbedBy());
            Attempt next = another(step, discarded + 1);
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
        return last;
    }

    /// The files of the earlier attempt are restored if this one fails.
    private Attempt another(Step step, int discarded) {
        Path folder = results.folder(step);
        Path before = results.before(step);
        Folders.replace(before, folder);
        Attempt next = once(step, discarded);
        if (next.record().isDone() || next.isStopped()) {
            Folders.discard(before);
        } else {
            Folders.replace(folder, before);
        }
        return next;
    }

    /// Never throws for failures of the server.
    ///
    /// @param discarded number of earlier attempts
    private Attempt once(Step step, int discarded) {
        String startedAt = Instant.now().toString();
        complaints.clear();
        Attempt result;
        try {
            Attempt tried = attempt(step, discarded);
            result = stop.isStopped() ? unmeasured(step, new Remark.StoppedBeforeItsEnd(), "") : tried;
        } catch (ServerException | UserException e) {
            result = unmeasured(step, e, startedAt);
        } finally {
            forget(step);
        }
        if (result.isStopped()) {
            discard(step);
        }
        return result;
    }

    private void missing(Remark what, Remark why) {
        complaints.add(new Missing(what, why));
    }

    private Attempt attempt(Step step, int discarded) {
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
        listener.answered(step, measured.result().counts());
        StepRecord record = recorded(live, measured.result(), List.of(measured), discarded);
        return new Attempt(record, record.isDone() ? disturbance(live, measured) : Set.of(), complaints);
    }

    /// Starts the server of a step and fills it.
    LiveServer open(Step step) {
        Path folder = emptied(results.folder(step));
        Variant variant = experiment.variant(step.variant());
        Phase phase = experiment.phaseOf(step);
        Path work = resources.workOf(step);
        Path settings = work.resolve("recording.jfc");
        TailAttribution.writeSettings(settings);
        Launch launch =
                Launch.of(variant.server(), kvant, folder, work, settings).withNice(experiment.nice());
        listener.doing("starting");
        ServedProcess served = resources.start(launch);
        boolean ready = false;
        try {
            Target target = served.awaitReady(stop);
            LoadPlan plan = instruments.keepingSlow(phase.plan(target, variant, step.repeat())
                    .with(p -> p.clients = p.clients.with(c -> c.realtime = realtime)));
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
        listener.answered(live.step(), result.counts());
        return new Attempt(recorded(live, result, slices, discarded), Set.of(), complaints);
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
        Folders.discard(folder); // of an interrupted attempt
        return Folders.create(folder);
    }

    /// Starts a profile if the step is a profiled one.
    private @Nullable Runnable profile(Step step, long pid) {
        if (!step.profiled()) {
            return null;
        }
        Path folder = emptied(results.profiles(step));
        Profiling wish = experiment.profiling();
        Remark what = new Remark.ProfileOf(step.variant(), step.phase());
        try {
            Runnable recording = instruments.profile(pid, wish, wish.slowNanos(), folder);
            return () -> {
                try {
                    recording.run();
                } catch (UserException e) {
                    missing(what, Remark.given(e));
                }
            };
        } catch (UserException e) {
            missing(what, Remark.given(e));
            return null;
        }
    }

    /// Decides whether a disturbed step, or a disturbed turn of an interleaved round, is measured again.
    ///
    /// Belongs to the thread of the run.
    static final class CalmRule {

        /// Number of consecutive measurements that were never calm after which no more time is spent on
        /// repetitions: the host is always like that.
        static final int MOST_NEVER_CALM = 3;

        private final HostBound bound;
        private final StopSwitch stop;
        private final BooleanSupplier hasTime;
        private int neverCalm;

        /// @param bound rule fixed at the start of the run
        /// @param hasTime whether there is time for another attempt
        CalmRule(HostBound bound, StopSwitch stop, BooleanSupplier hasTime) {
            this.bound = bound;
            this.stop = stop;
            this.hasTime = hasTime;
        }

        HostBound bound() {
            return bound;
        }

        /// True if another attempt may follow a disturbed one.
        ///
        /// @param discarded number of earlier attempts
        boolean allowsAnother(int discarded) {
            return discarded < bound.again()
                    && neverCalm < MOST_NEVER_CALM
                    && hasTime.getAsBoolean()
                    && !stop.isStopped();
        }

        /// Notes the attempt that counts.
        ///
        /// @param discarded number of earlier attempts
        void ended(boolean calm, int discarded) {
            if (calm) {
                neverCalm = 0;
            } else if (discarded > 0 && discarded == bound.again()) {
                neverCalm++;
            }
        }
    }

    // --- writing the observations of both sides, when the server has ended ---

    /// @param result of all slices together
    /// @param slices the measured slices, in order
    private StepRecord recorded(LiveServer live, RunResult result, List<Slice> slices, int discarded) {
        Step step = live.step();
        Path folder = live.folder();
        Map<String, String> files = new LinkedHashMap<>();
        Path load = folder.resolve("load.json");
        Folders.write(load, ResultFile.text(LoadResult.of(result)));
        files.put("load", results.relative(load));
        List<Stretch> stretches = stretches(slices);
        JfrEvents events = events(live, stretches);
        Path samples = folder.resolve("samples.json");
        Folders.write(samples, RecordJson.write(samples(live, stretches, events)));
        files.put("samples", results.relative(samples));
        attribute(live, result, load);
        addFiles(files, folder);
        @Nullable Remark reason = slices.getLast().reason();
        return new StepRecord(
                step.id(),
                step.variant(),
                step.phase(),
                step.repeat(),
                step.profiled(),
                reason == null ? StepRecord.Status.DONE : StepRecord.Status.FAILED,
                reason,
                result.startedAt().toString(),
                events.addedTo(figures(live, slices)),
                result.totals().response().getValueAtPercentile(99),
                result.busy(),
                discarded,
                files);
    }

    private static List<Stretch> stretches(List<Slice> slices) {
        List<Stretch> stretches = new ArrayList<>();
        long at = 0;
        for (Slice slice : slices) {
            stretches.add(slice.stretch(at));
            at += slice.result().elapsedNanos();
        }
        return stretches;
    }

    private static ProcessFigures figures(LiveServer live, List<Slice> slices) {
        return ProcessFigures.sum(
                slices.stream().map(live::figures).toList(),
                slices.stream().map(slice -> slice.result().elapsedNanos()).toList());
    }

    /// Adds the files written by the server and the attribution.
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

    private JfrEvents events(LiveServer live, List<Stretch> stretches) {
        Remark what = new Remark.EventsOf(live.step().id());
        Path recording = live.launch().recording();
        if (!Files.exists(recording)) {
            return JfrEvents.NONE;
        }
        try {
            JfrEvents events = JfrEvents.read(recording, stretches);
            if (events.lostBytes() > 0) {
                missing(what, new Remark.EventsLost(events.lostBytes()));
            }
            return events;
        } catch (IOException e) {
            missing(what, new Remark.RecordingUnreadable(String.valueOf(e.getMessage())));
            return JfrEvents.NONE;
        }
    }

    private static SamplesRecord samples(LiveServer live, List<Stretch> stretches, JfrEvents events) {
        Instant start = stretches.getFirst().from();
        return SamplesRecord.of(
                start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                live.sampler().during(stretches),
                events.events());
    }

    /// Slow requests have nano times, matched with those of the recording, and not on the timeline of the
    /// step.
    private void attribute(LiveServer live, RunResult result, Path load) {
        Path slow = live.folder().resolve("slow.json");
        Path recording = live.launch().recording();
        try {
            instruments.writeSlow(result, slow);
            instruments.attribute(
                    load,
                    slow,
                    Files.exists(recording) ? recording : null,
                    live.folder().resolve("tail.json"));
        } catch (UserException e) {
            missing(new Remark.AttributionOf(live.step().id()), Remark.given(e));
        }
    }
}
