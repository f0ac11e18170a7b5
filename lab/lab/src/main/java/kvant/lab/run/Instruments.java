package kvant.lab.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import kvant.lab.experiment.Experiment.Profiling;
import kvant.lab.process.Folders;
import kvant.lab.profile.ProfilePlan;
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.profile.Profiler;
import kvant.lab.tail.TailAttribution;
import kvant.load.plan.LoadPlan;
import kvant.load.result.SlowestFile;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Additional analysis of a step besides its load: the profiler, the attribution of slow requests, the report. A run
/// continues without any of them, and reports what is missing.
///
/// Each method throws a [UserException] with one line when it fails.
public interface Instruments {

    /// The share of requests, the slowest ones, whose latency is attributed to causes.
    double SLOW_SHARE = 0.001;

    /// Starts to profile a process.
    ///
    /// @param slowNanos requests that take longer get a separate flame graph; 0 for none
    /// @param folder exists and is empty
    /// @return ends the profile and writes its files
    default Runnable profile(long pid, Profiling wish, long slowNanos, Path folder) {
        Set<ProfileEvent> events = EnumSet.copyOf(ProfileEvent.list(String.join(",", wish.events())));
        ProfilePlan plan = ProfilePlan.of(events)
                .withThreads(wish.threads())
                .withSlowThreshold(slowNanos == 0 ? null : Duration.ofNanos(slowNanos));
        return Profiler.attach(pid).start(plan, folder)::stop;
    }

    /// Compares the profiles of two variants.
    default void difference(Path a, String nameA, Path b, String nameB, String event, Path html, Path json) {
        ProfileEvent one = ProfileEvent.list(event).iterator().next();
        Profiler.difference(a, nameA, b, nameB, one, html, json);
    }

    /// A load that keeps its slowest requests individually.
    default LoadPlan keepingSlow(LoadPlan plan) {
        return plan.with(p -> p.slowShare = SLOW_SHARE);
    }

    /// Writes the slowest requests of a load.
    default void writeSlow(RunResult result, Path slow) {
        Folders.write(slow, SlowestFile.of(result.slowest()));
    }

    /// Attributes the time of the slowest requests.
    ///
    /// @param recording of the served process, or null
    default void attribute(Path load, Path slow, @Nullable Path recording, Path tail) {
        TailAttribution.write(load, slow, recording, tail);
    }

    /// A pair of variants for which a question is still open.
    ///
    /// @param margin smallest relevant difference, as a share
    /// @param roundsToGo estimated number of further rounds; 0 if still unknown
    /// @param leftOut number of blocks excluded because of disturbances from outside the run
    record Undecided(String question, String a, String b, String phase, double margin, long roundsToGo, long leftOut) {}

    /// The open questions of a result folder that more rounds may decide; may be called at any time.
    default List<Undecided> undecided(Path folder) {
        throw new UserException("this build does not judge");
    }

    /// Writes the report of a folder of results.
    default void report(Path folder) {
        throw new UserException("this build writes no report");
    }
}
