package kvant.lab.run;

import java.nio.file.Path;
import java.util.List;
import kvant.lab.experiment.Profiling;
import kvant.lab.tail.JfrSettings;
import kvant.load.plan.LoadPlan;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// What looks deeper into a step than load does: the profiler, the attribution of slow requests,
/// the report. A run goes on without any of them, and says what is missing.
///
/// Each method throws a [UserException] with one line where it cannot do its work.
public interface Instruments {

    /// A profile that is being taken.
    interface Recording {

        /// Ends it and writes its files.
        void stop();
    }

    /// Writes what the flight recorder of a served JVM is to record.
    default void writeRecordingSettings(Path file) {
        JfrSettings.write(file);
    }

    /// Begins to profile a process.
    ///
    /// @param slowNanos requests that take longer get a flame graph of their own; 0 for none
    /// @param folder exists and is empty
    default Recording profile(long pid, Profiling wish, long slowNanos, Path folder) {
        throw new UserException("this build has no profiler");
    }

    /// Compares the profiles of two variants.
    default void difference(Path a, String nameA, Path b, String nameB, String event, Path html, Path json) {
        throw new UserException("this build has no profiler");
    }

    /// A load that keeps its slowest requests one by one.
    default LoadPlan keepingSlow(LoadPlan plan) {
        return plan;
    }

    /// Writes the slowest requests of a load.
    default void writeSlow(RunResult result, Path slow) {
        throw new UserException("this build keeps no slow requests");
    }

    /// Says where the time of the slowest requests went.
    ///
    /// @param recording of the served process, null where there is none
    default void attribute(Path load, Path slow, @Nullable Path recording, Path tail) {
        throw new UserException("this build does not say where the time of slow requests goes");
    }

    /// A pair of variants, of which a question is still open.
    ///
    /// @param margin the difference that is to be seen, as a share
    /// @param roundsToGo about how many more rounds it takes; 0 where that cannot be told yet
    /// @param leftOut blocks that count for nothing, because something outside of the run disturbed them
    record Undecided(String question, String a, String b, String phase, double margin, long roundsToGo, long leftOut) {}

    /// What more rounds may decide of the questions of a folder of results, whenever it is asked.
    default List<Undecided> undecided(Path folder) {
        throw new UserException("this build does not judge");
    }

    /// Writes the report of a folder of results.
    default void report(Path folder) {
        throw new UserException("this build writes no report");
    }
}
