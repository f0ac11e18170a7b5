package kvant.lab.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the files of a profile say, in numbers: `profile.json`. docs/profiles.md has the schema.
///
/// @param missing what was asked for and is not there
/// @param notes what the profiler warned of
public record ProfileRecord(
        String profiler,
        long pid,
        String startedAt,
        long durationNanos,
        List<Event> events,
        @Nullable Slow slow,
        List<Missing> missing,
        List<String> notes) {

    /// @param engine where the samples come from
    /// @param html file name of the flame graph
    /// @param top the frames with the largest share of their own, largest first
    /// @param threads largest share first
    public record Event(
            String event,
            String engine,
            long samples,
            String unit,
            String html,
            String collapsed,
            List<Frame> top,
            List<ThreadShare> threads) {}

    /// Of slow requests alone.
    ///
    /// @param requests how many windows of time the samples were taken from
    /// @param byThread whether only samples of the threads that worked for these requests were taken
    public record Slow(
            String event,
            long requests,
            boolean byThread,
            long samples,
            String html,
            String collapsed,
            List<Frame> top) {}

    /// @param self the share of all samples in which this frame was at work
    /// @param total the share in which it was on the stack
    public record Frame(String frame, double self, double total) {}

    public record ThreadShare(String name, double share) {}

    /// @param what a kind of profile
    public record Missing(String what, Remark why) {}
}
