package kvant.load.run;

import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import org.HdrHistogram.Histogram;

/// Hears how a run goes, on the thread that runs it.
public interface Progress {

    /// Nobody listens.
    Progress SILENT = new Progress() {};

    /// All connections stand, and the run begins.
    default void begins(LoadPlan plan) {}

    /// A prefill has so many of its keys acknowledged.
    default void filled(long done, long keys, double seconds) {}

    /// A window of the warm-up has ended.
    default void warming(Window window, double seconds) {}

    /// The warm-up has ended.
    default void warm(double seconds, boolean stable) {}

    /// A window of the measured time has ended.
    default void measured(Window window, double seconds, double ofSeconds) {}

    /// The run has ended, and no request is under way any more: what became of those that were measured.
    default void counted(RequestCounts counts) {}

    /// The response times of a window of the measured time; the histogram is used again after the call.
    default void interval(Histogram response, long fromNanos, long lengthNanos) {}
}
