package kvant.lab.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import kvant.lab.experiment.Step;
import kvant.lab.process.ProcessSampler;
import kvant.lab.process.Stretch;
import kvant.lab.result.LoadRemarks;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.Remark;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import org.jspecify.annotations.Nullable;

/// The server of a step: it answers, and has its data.
///
/// Owned by the thread of the run.
record LiveServer(Step step, Launch launch, Path folder, ServedProcess served, ProcessSampler sampler, LoadPlan plan)
        implements AutoCloseable {

    /// What a load gave.
    ///
    /// @param reason why it is not what was planned, or null
    /// @param fromNanos start of the measured time, of `System.nanoTime`
    record Slice(RunResult result, @Nullable Remark reason, long fromNanos) {

        /// @param at where it begins on the timeline of the step
        Stretch stretch(long at) {
            return new Stretch(result.startedAt(), fromNanos, result.elapsedNanos(), at);
        }
    }

    /// @param profile begins a profile when the measured time begins, or gives null
    Slice measure(
            LoadPlan load, StopSwitch stop, RunListener listener, Supplier<Instruments.@Nullable Recording> profile) {
        try (Measuring progress = new Measuring(listener, sampler, profile)) {
            if (load.pace().warmup().isNone()) {
                progress.begin();
            }
            RunResult result = LoadRun.run(load, stop, progress);
            sampler.now();
            long sinceStart =
                    Duration.between(result.startedAt(), Instant.now()).toNanos();
            return new Slice(result, reason(result), System.nanoTime() - sinceStart);
        }
    }

    ProcessFigures figures(Slice slice) {
        return ProcessSampler.figures(sampler.samples(), served.pid(), slice.fromNanos(), slice.result());
    }

    /// A load that is short may not notice that nobody is there any more.
    private @Nullable Remark reason(RunResult result) {
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

    /// Ends it, which is when a JVM writes its recording down.
    @Override
    public void close() {
        sampler.close();
        served.close();
    }

    /// Does what is to be done at the moment when the measured time of a step begins: looks at the
    /// process, and lets the profiler in. Where it ends it looks once more. All else it hands on.
    static final class Measuring implements Progress, AutoCloseable {

        private final Progress next;
        private final ProcessSampler sampler;
        private final Supplier<Instruments.@Nullable Recording> profile;
        private Instruments.@Nullable Recording recording;

        /// @param profile begins a profile, or gives null where none is wanted or possible
        Measuring(Progress next, ProcessSampler sampler, Supplier<Instruments.@Nullable Recording> profile) {
            this.next = next;
            this.sampler = sampler;
            this.profile = profile;
        }

        void begin() {
            sampler.now();
            recording = profile.get();
        }

        @Override
        public void begins(LoadPlan plan) {
            next.begins(plan);
        }

        @Override
        public void filled(long done, long keys, double seconds) {
            next.filled(done, keys, seconds);
        }

        @Override
        public void warming(Window window, double seconds) {
            next.warming(window, seconds);
        }

        @Override
        public void warm(double seconds, boolean stable) {
            begin();
            next.warm(seconds, stable);
        }

        @Override
        public void measured(Window window, double seconds, double ofSeconds) {
            if (seconds >= ofSeconds) {
                sampler.now(); // as the machine was looked at for the last time: what is still to be answered comes
                // later
            }
            next.measured(window, seconds, ofSeconds);
        }

        @Override
        public void counted(RequestCounts counts) {
            next.counted(counts);
        }

        /// Ends the profile, also where the load failed.
        @Override
        public void close() {
            if (recording != null) {
                recording.stop();
            }
        }
    }
}
