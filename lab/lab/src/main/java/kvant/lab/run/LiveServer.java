package kvant.lab.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import kvant.lab.experiment.Step;
import kvant.lab.process.JfrEvents.Stretch;
import kvant.lab.process.ProcessSampler;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.Window;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import org.jspecify.annotations.Nullable;

/// The running server of a step, filled with its data.
///
/// Belongs to the thread of the run.
record LiveServer(Step step, Launch launch, Path folder, ServedProcess served, ProcessSampler sampler, LoadPlan plan)
        implements AutoCloseable {

    /// The result of a load.
    ///
    /// @param reason for a deviation from the plan, or null
    /// @param fromNanos start of the measured time, of `System.nanoTime`
    record Slice(RunResult result, @Nullable Remark reason, long fromNanos) {

        /// @param at its start on the timeline of the step
        Stretch stretch(long at) {
            return new Stretch(result.startedAt(), fromNanos, result.elapsedNanos(), at);
        }
    }

    /// @param profile starts a profile at the start of the measured time, or returns null
    Slice measure(LoadPlan load, StopSwitch stop, RunListener listener, Supplier<@Nullable Runnable> profile) {
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

    /// A short load may not notice that the server has ended.
    private @Nullable Remark reason(RunResult result) {
        if (!served.isAlive()) {
            return new Remark.ServerEndedUnderLoad(served.exitCode(), served.lastWords());
        }
        if (result.warmup().hasFailed()) {
            RequestCounts warmup = result.warmup().counts();
            return new Remark.WarmupFailed(warmup.failedCount(), warmup.of(Count.SENT));
        }
        if (!result.partial().isEmpty()) {
            return Remark.ofLoad(result.partial());
        }
        boolean silent =
                result.counts().of(Count.ANSWERED) == 0 && result.counts().of(Count.SENT) > 0;
        return silent ? new Remark.NobodyAnswered(result.counts().of(Count.SENT)) : null;
    }

    /// Stops the server; a JVM then writes its recording.
    @Override
    public void close() {
        sampler.close();
        served.close();
    }

    /// Samples the process and starts the profiler at the start of the measured time of a step, and samples again at
    /// its end. Forwards all progress.
    static final class Measuring implements Progress, AutoCloseable {

        private final Progress next;
        private final ProcessSampler sampler;
        private final Supplier<@Nullable Runnable> profile;
        private @Nullable Runnable recording;

        /// @param profile starts a profile, or returns null if none is wanted or possible
        Measuring(Progress next, ProcessSampler sampler, Supplier<@Nullable Runnable> profile) {
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
        public void counted(RequestCounts counts) {
            next.counted(counts);
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
                sampler.now(); // together with the last sample of the machine; remaining answers come
                // later
            }
            next.measured(window, seconds, ofSeconds);
        }

        /// Ends the profile, even after a failed load.
        @Override
        public void close() {
            if (recording != null) {
                recording.run();
            }
        }
    }
}
