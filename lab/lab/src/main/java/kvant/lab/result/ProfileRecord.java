package kvant.lab.result;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The contents of a profile's files in numbers: `profile.json`. docs/profiles.md has the schema.
///
/// @param missing requested parts that are not available
/// @param notes warnings of the profiler
public record ProfileRecord(
        String profiler,
        long pid,
        String startedAt,
        long durationNanos,
        List<Event> events,
        @Nullable Slow slow,
        List<Missing> missing,
        List<String> notes) {

    /// @param engine source of the samples
    /// @param html file name of the flame graph
    /// @param top frames with the largest self share, largest first
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

    /// The profile of slow requests only.
    ///
    /// @param requests number of time windows from which samples were taken
    /// @param byThread whether only samples of the threads working for these requests were taken
    public record Slow(
            String event,
            long requests,
            boolean byThread,
            long samples,
            String html,
            String collapsed,
            List<Frame> top) {}

    /// @param self share of all samples in which this frame was running
    /// @param total share in which it was on the stack
    public record Frame(String frame, double self, double total) {}

    public record ThreadShare(String name, double share) {}

    /// @param what kind of profile
    public record Missing(String what, Remark why) {}

    /// The frames in which two profiles differ most.
    public record DifferenceRecord(String event, String a, String b, List<Frame> frames) {

        /// @param a share of all samples of profile A with the frame on the stack
        /// @param delta B minus A
        public record Frame(String frame, double a, double b, double delta) {}
    }

    private static final Pattern DIGITS = Pattern.compile("\\d+");

    /// True for the frame of a thread at the bottom of its stacks, such as `[kvant-worker-2]`.
    public static boolean isThread(String frame) {
        return frame.startsWith("[") && frame.endsWith("]");
    }

    /// The frame of a thread's group, such as `[kvant-worker-*]`; other frames are unchanged. A difference between
    /// two profiles for a single thread of a group would only show which thread came first.
    public static String threadGroup(String frame) {
        return isThread(frame) ? DIGITS.matcher(frame).replaceAll("*") : frame;
    }
}
