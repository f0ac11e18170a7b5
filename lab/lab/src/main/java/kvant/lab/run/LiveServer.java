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
import kvant.load.run.LoadRun;
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
        try (StepProgress progress = new StepProgress(listener, sampler, profile)) {
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
}
