package kvant.lab.profile;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What came out of a profile; the files beside it say the same at length.
///
/// @param version of the profiler, as the recording has it
/// @param slow the flame graph of slow requests, if there is one
/// @param missing what was asked for and is not here
/// @param notes what the profiler warned of
public record ProfileResult(
        long pid,
        Instant startedAt,
        long durationNanos,
        String version,
        List<EventProfile> events,
        @Nullable SlowProfile slow,
        List<Missing> missing,
        List<String> notes) {

    /// @param engine where the samples come from
    /// @param samples how many there are
    /// @param top the frames with the largest share of their own, largest first
    /// @param threads largest share first
    public record EventProfile(
            ProfileEvent event, String engine, long samples, List<FrameShare> top, List<ThreadShare> threads) {

        public String html() {
            return event.label() + ".html";
        }

        public String collapsed() {
            return event.label() + ".collapsed";
        }
    }

    /// @param self the share of all samples in which this frame was at work
    /// @param total the share in which it was on the stack
    public record FrameShare(String frame, double self, double total) {}

    public record ThreadShare(String name, double share) {}

    /// @param event what is counted
    /// @param requests how many windows of time the samples were taken from
    /// @param byThread whether only samples of the threads that worked for these requests were taken
    public record SlowProfile(ProfileEvent event, int requests, boolean byThread, long samples, List<FrameShare> top) {}

    public record Missing(String what, String why) {}
}
