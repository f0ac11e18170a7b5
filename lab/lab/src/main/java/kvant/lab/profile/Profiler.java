package kvant.lab.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import kvant.lab.result.ProfileRecord.Missing;
import kvant.lab.result.ProfileRecord.Slow;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// async-profiler in a running JVM of this machine.
///
///     attach(pid) -> start(plan, folder) -> stop()
///
/// Nothing of it stays in the folder but results, and nothing in that process but an idle library.
public final class Profiler {

    private final JvmProcess jvm;

    private Profiler(JvmProcess jvm) {
        this.jvm = jvm;
    }

    /// Loads the profiler into a JVM, without starting it.
    ///
    /// @throws UserException in one line, if that cannot be
    public static Profiler attach(long pid) {
        JvmProcess jvm = JvmProcess.of(pid);
        JvmProcess.Answer answer = jvm.tell(CommandText::version);
        if (!answer.accepted()) {
            throw new UserException("the profiler refuses process " + pid + ": " + answer.reason());
        }
        return new Profiler(jvm);
    }

    /// Begins to record; what is not to be had is left out, and the result says so.
    ///
    /// @param folder is made if it does not exist; what an earlier profile left in it is removed
    /// @throws UserException if none of the events is to be had, the folder cannot be written, or
    ///     the process is being profiled already
    public Recording start(ProfilePlan plan, Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        CommandText.refuseUnspeakable(absolute);
        ProfileFiles files = ProfileFiles.in(absolute);
        Instant startedAt = Instant.now();
        long startedNanos = System.nanoTime();
        List<Missing> missing = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        ProfilePlan possible = start(plan, files.jfr(), missing, notes);
        return new Recording(jvm, possible, files, startedAt, startedNanos, missing, notes);
    }

    /// @return what could be started of the plan
    private ProfilePlan start(ProfilePlan plan, Path jfr, List<Missing> missing, List<String> notes) {
        ProfilePlan possible = plan;
        JvmProcess.Answer answer = order(possible, jfr);
        if (!answer.accepted() && answer.reason().contains("Flight Record")) {
            missing.add(new Missing("slow", new Remark.NoRequestsTold(answer.reason())));
            possible = possible.withSlowThreshold(null);
            answer = order(possible, jfr);
        }
        if (!answer.accepted()) {
            possible = possible.withEvents(possible(possible, jfr, answer, missing));
            answer = order(possible, jfr);
        }
        if (!answer.accepted()) {
            throw new UserException("cannot profile process " + jvm.pid() + ": " + answer.reason());
        }
        notes.addAll(answer.warnings());
        return possible;
    }

    private JvmProcess.Answer order(ProfilePlan plan, Path jfr) {
        JvmProcess.Answer answer = jvm.tell(log -> CommandText.start(plan, jfr, log));
        if (!answer.accepted() && answer.reason().contains("already started")) {
            throw new UserException(
                    "process " + jvm.pid() + " is being profiled already: wait until that ends, or end it");
        }
        return answer;
    }

    /// Tries each event alone, because the profiler refuses all of them for one.
    private Set<ProfileEvent> possible(ProfilePlan plan, Path jfr, JvmProcess.Answer refusal, List<Missing> missing) {
        Set<ProfileEvent> possible = EnumSet.noneOf(ProfileEvent.class);
        for (ProfileEvent event : plan.orderedEvents()) {
            JvmProcess.Answer answer = order(plan.withEvents(Set.of(event)), jfr);
            if (answer.accepted()) {
                jvm.tell(log -> CommandText.stop(jfr, log));
                possible.add(event);
            } else {
                missing.add(new Missing(event.label(), new Remark.Given(answer.reason())));
            }
        }
        if (possible.isEmpty()) {
            throw new UserException("cannot profile process " + jvm.pid() + ": " + refusal.reason());
        }
        return possible;
    }

    /// Makes `slow.html` and `slow.collapsed` of the samples taken while slow requests were on their
    /// way.
    ///
    /// Where the windows name the threads that worked for their requests, these are samples of those
    /// threads by the clock, waiting included; else samples of all threads by CPU time: what the
    /// process did meanwhile.
    ///
    /// @param jfr a recording of this class
    /// @param windows in the clock of `System.nanoTime`
    /// @return null if no sample falls into a window
    /// @throws UserException if the file is no such recording, or a file cannot be written
    public static @Nullable Slow slow(Path jfr, List<SlowWindow> windows, Path folder) {
        return SlowFlames.write(jfr, SlowWindows.of(windows), folder);
    }

    /// Makes a flame graph of the difference from A to B, and a list of the frames that differ most.
    ///
    /// @throws UserException if a file cannot be read or written, or holds no samples
    public static void difference(
            Path collapsedA, String nameA, Path collapsedB, String nameB, ProfileEvent event, Path html, Path json) {
        try {
            Files.createDirectories(Objects.requireNonNull(html.toAbsolutePath().getParent()));
            FrameShares a = FrameShares.read(collapsedA);
            FrameShares b = FrameShares.read(collapsedB);
            FlameGraphs.difference(collapsedA, a.total(), nameA, collapsedB, b.total(), nameB, event, html);
            RecordJson.write(json, FrameDifference.of(a, nameA, b, nameB, event));
        } catch (IOException e) {
            throw new UserException(
                    "cannot compare " + collapsedA + " with " + collapsedB + ": " + ProfileFiles.reason(e), e);
        }
    }
}
