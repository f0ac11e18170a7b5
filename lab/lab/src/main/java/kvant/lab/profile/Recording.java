package kvant.lab.profile;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.ProfileRecord;
import kvant.lab.result.ProfileRecord.Missing;
import kvant.text.UserException;

/// A profile that is being recorded. Used by one thread.
public final class Recording {

    // Constant.
    private final JvmProcess jvm;
    private final ProfilePlan plan;
    private final ProfileFiles files;
    private final Instant startedAt;
    private final long startedNanos;

    // Owned by the thread that uses it.
    private final List<Missing> missing;
    private final List<String> notes;

    Recording(
            JvmProcess jvm,
            ProfilePlan plan,
            ProfileFiles files,
            Instant startedAt,
            long startedNanos,
            List<Missing> missing,
            List<String> notes) {
        this.jvm = jvm;
        this.plan = plan;
        this.files = files;
        this.startedAt = startedAt;
        this.startedNanos = startedNanos;
        this.missing = new ArrayList<>(missing);
        this.notes = new ArrayList<>(notes);
    }

    /// Whether there is still something to record.
    public boolean isTargetAlive() {
        return jvm.isAlive();
    }

    /// Ends the recording and makes everything of it. A process that ended by itself closed its
    /// recording; one that was killed did not.
    ///
    /// @throws UserException if there is nothing to make a profile of
    public ProfileRecord stop() {
        return stop(List.of());
    }

    /// The same, and a flame graph of slow requests that somebody else saw, such as the load generator,
    /// if the process itself told of none.
    public ProfileRecord stop(List<SlowWindow> seen) {
        long durationNanos = System.nanoTime() - startedNanos;
        end();
        ProfileRecord head = new ProfileRecord(
                "",
                jvm.pid(),
                startedAt.toString(),
                durationNanos,
                List.of(),
                null,
                List.copyOf(missing),
                List.copyOf(notes));
        try {
            return files.make(plan, head, seen);
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
            JvmProcess.Answer answer = jvm.tell(log -> CommandText.stop(files.jfr(), log));
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

    /// Where the files are.
    public Path folder() {
        return files.folder();
    }
}
