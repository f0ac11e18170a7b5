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
import kvant.lab.profile.ProfilePlan.ProfileEvent;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Missing;
import kvant.lab.result.Remark;
import kvant.load.result.RecordJson;
import kvant.text.FileTrouble;
import kvant.text.UserException;

/// async-profiler in a running JVM on this machine.
///
///     attach(pid) -> start(plan, folder) -> stop()
///
/// It leaves only results in the folder, and only an idle library in the process.
public final class Profiler {

    private final JvmProcess jvm;

    private Profiler(JvmProcess jvm) {
        this.jvm = jvm;
    }

    /// Loads the profiler into a JVM, without starting it.
    ///
    /// @throws UserException in one line, if that is impossible
    public static Profiler attach(long pid) {
        JvmProcess jvm = JvmProcess.of(pid);
        JvmProcess.Answer answer = jvm.tell(log -> "version,log=" + log);
        if (!answer.accepted()) {
            throw new UserException("the profiler refuses process " + pid + ": " + answer.reason());
        }
        return new Profiler(jvm);
    }

    /// Starts to record. Unavailable events are skipped, and listed in the result.
    ///
    /// @param folder is created if it does not exist; an earlier profile in it is removed
    /// @throws UserException if no event is available, the folder is not writable, or the process is already being
    ///     profiled
    public Recording start(ProfilePlan plan, Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        JvmProcess.refuseUnspeakable(absolute);
        return new Recording(plan, ProfileFiles.in(absolute));
    }

    /// @return the part of the plan that was started
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
        JvmProcess.Answer answer = jvm.tell(log -> plan.startCommand(jfr, log));
        if (!answer.accepted() && answer.reason().contains("already started")) {
            throw new UserException(
                    "process " + jvm.pid() + " is being profiled already: wait until that ends, or end it");
        }
        return answer;
    }

    /// Tries each event separately, because the profiler refuses all events if one is unavailable.
    private Set<ProfileEvent> possible(ProfilePlan plan, Path jfr, JvmProcess.Answer refusal, List<Missing> missing) {
        Set<ProfileEvent> possible = EnumSet.noneOf(ProfileEvent.class);
        for (ProfileEvent event : plan.orderedEvents()) {
            JvmProcess.Answer answer = order(plan.withEvents(Set.of(event)), jfr);
            if (answer.accepted()) {
                jvm.stop(jfr);
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

    /// Makes a flame graph of the difference from A to B, and a list of the frames that differ most.
    ///
    /// @throws UserException if a file cannot be read or written, or holds no samples
    public static void difference(
            Path collapsedA, String nameA, Path collapsedB, String nameB, ProfileEvent event, Path html, Path json) {
        try {
            Files.createDirectories(Objects.requireNonNull(html.toAbsolutePath().getParent()));
            FrameShares a = FrameShares.read(collapsedA);
            FrameShares b = FrameShares.read(collapsedB);
            ProfileFiles.flameDifference(collapsedA, a.total(), nameA, collapsedB, b.total(), nameB, event, html);
            RecordJson.write(json, FrameShares.difference(a, nameA, b, nameB, event));
        } catch (IOException e) {
            throw new UserException(
                    "cannot compare " + collapsedA + " with " + collapsedB + ": " + FileTrouble.reading(e), e);
        }
    }

    /// A running recording of a profile. Belongs to one thread.
    public final class Recording {

        // Constant.
        private final ProfilePlan plan;
        private final ProfileFiles files;
        private final Instant startedAt = Instant.now();
        private final long startedNanos = System.nanoTime();

        // Owned by the thread that uses it.
        private final List<Missing> missing = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        private Recording(ProfilePlan wanted, ProfileFiles files) {
            this.files = files;
            this.plan = Profiler.this.start(wanted, files.jfr(), missing, notes);
        }

        /// True if the target process is still running.
        public boolean isTargetAlive() {
            return jvm.isAlive();
        }

        /// Ends the recording and creates all files. A process that ended by itself has closed its recording; a killed
        /// one has not.
        ///
        /// @throws UserException if there is no usable recording
        public ProfileRecord stop() {
            long durationNanos = System.nanoTime() - startedNanos;
            end();
            ProfileRecord head = new ProfileRecord(
                    "", jvm.pid(), startedAt.toString(), durationNanos, List.of(), null, missing, List.copyOf(notes));
            try {
                return files.make(plan, head);
            } catch (UserException e) {
                if (jvm.isAlive()) {
                    throw e;
                }
                throw new UserException(
                        "process " + jvm.pid() + " ended before the profile did and left none: " + e.getMessage(), e);
            }
        }

        private void end() {
            if (!jvm.isAlive()) {
                notes.add("process " + jvm.pid() + " ended before the profile did");
                return;
            }
            try {
                JvmProcess.Answer answer = jvm.stop(files.jfr());
                notes.addAll(answer.warnings());
                if (!answer.accepted()) {
                    notes.add(answer.reason());
                }
            } catch (UserException e) {
                if (jvm.isAlive()) {
                    throw e;
                }
                notes.add("process " + jvm.pid() + " ended before the profile did");
            }
        }
    }
}
