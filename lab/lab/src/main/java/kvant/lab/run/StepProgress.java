package kvant.lab.run;

import java.util.function.Supplier;
import kvant.lab.process.ProcessSampler;
import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import kvant.load.run.Progress;
import org.jspecify.annotations.Nullable;

/// Does what is to be done at the moment when the measured time of a step begins: looks at the
/// process, and lets the profiler in. Where it ends it looks once more. All else it hands on.
///
/// Owned by the thread of the run.
final class StepProgress implements Progress, AutoCloseable {

    private final Progress next;
    private final ProcessSampler sampler;
    private final Supplier<Instruments.@Nullable Recording> profile;
    private Instruments.@Nullable Recording recording;

    /// @param profile begins a profile, or gives null where none is wanted or possible
    StepProgress(Progress next, ProcessSampler sampler, Supplier<Instruments.@Nullable Recording> profile) {
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
            sampler.now(); // as the machine was looked at for the last time: what is still to be answered comes later
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
