package kvant.load.run;

import kvant.load.plan.LoadPlan;
import kvant.load.record.RequestCounts;
import kvant.load.record.Window;
import org.HdrHistogram.Histogram;

/// Receives the progress of a run, on the thread that runs it.
public interface Progress {

    /// Ignores all progress.
    Progress SILENT = new Progress() {};

    /// All connections are established, and the run begins.
    default void begins(LoadPlan plan) {}

    /// A prefill has this number of keys acknowledged.
    default void filled(long done, long keys, double seconds) {}

    /// A window of the warm-up has ended.
    default void warming(Window window, double seconds) {}

    /// The warm-up has ended.
    default void warm(double seconds, boolean stable) {}

    /// A window of the measured time has ended.
    default void measured(Window window, double seconds, double ofSeconds) {}

    /// The run has ended, and no request is unfinished: the outcome of the measured requests.
    default void counted(RequestCounts counts) {}

    /// The response times of a window of the measured time; the histogram is reused after the call.
    default void interval(Histogram response, long fromNanos, long lengthNanos) {}
}
