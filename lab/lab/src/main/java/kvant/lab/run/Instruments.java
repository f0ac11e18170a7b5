package kvant.lab.run;

import java.nio.file.Path;
import java.util.List;
import kvant.lab.experiment.Profiling;
import kvant.lab.tail.JfrSettings;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Additional analysis of a step besides its load: the profiler, the attribution of slow requests, the report. A run
/// continues without any of them, and reports what is missing.
///
/// Each method throws a [UserException] with one line when it fails.
public interface Instruments {

    /// A running profile.
    interface Recording {

        /// Ends the profile and writes its files.
        void stop();
    }

    /// Writes the settings for the flight recorder of a served JVM.
    default void writeRecordingSettings(Path file) {
        JfrSettings.write(file);
    }

    /// Starts to profile a process.
    ///
    /// @param slowNanos requests that take longer get a separate flame graph; 0 for none
    /// @param folder exists and is empty
    default Recording profile(long pid, Profiling wish, long slowNanos, Path folder) {
        throw new UserException("this build has no profiler");
    }

    /// Compares the profiles of two variants.
    default void difference(Path a, String nameA, Path b, String nameB, String event, Path html, Path json) {
        throw new UserException("this build has no profiler");
    }

    /// A load that keeps its slowest requests individually.
    default LoadPlan keepingSlow(LoadPlan plan) {
        return plan;
    }

    /// Writes the slowest requests of a load.
    default void writeSlow(RunResult result, Path slow) {
        throw new UserException("this build keeps no slow requests");
    }

    /// Attributes the time of the slowest requests.
    ///
    /// @param recording of the served process, or null
    default void attribute(Path load, Path slow, @Nullable Path recording, Path tail) {
        throw new UserException("this build does not say where the time of slow requests goes");
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
