package kvant.engine;

import org.jspecify.annotations.Nullable;

/// A batch submitted to an engine, and its outcome.
///
/// The caller creates it (a server may extend it with the data that its answer needs), the engine sets the outcome
/// exactly once and hands it back through the sink. The hand-over through the sink publishes the outcome: the fields
/// need no synchronisation of their own.
///
///     PENDING --engine--> APPLIED | REFUSED | FAILED
public class Write {

    /// State of a write.
    public enum Outcome {
        PENDING,
        /// Applied, and as durable as the policy promises.
        APPLIED,
        /// Not applied: its condition did not hold.
        REFUSED,
        /// Not acknowledged; see [Write#failure]. Unless the failure says otherwise, it was not applied.
        FAILED
    }

    /// The engine's steps for the group of a write, in order, as nano times.
    ///
    /// @param beganNanos start of work on the group, with no other group ahead of it
    /// @param appendedNanos the group is appended to the log
    /// @param syncedNanos the log is synced, where the durability asks for that; else the moment before
    /// @param appliedNanos the group is visible
    public record Steps(long beganNanos, long appendedNanos, long syncedNanos, long appliedNanos) {}

    // Constant.
    private final WriteBatch batch;
    private final CompletionSink sink;

    // Owned by the engine until it is handed back.
    private Outcome outcome = Outcome.PENDING;
    private long version;
    private @Nullable EngineException failure;
    private @Nullable Steps steps;

    /// Enqueue time, or an earlier moment; set for the first write of a group. Owned by the group commit.
    long queuedNanos;

    /// Link of the queue that holds this write; owned by [CommitQueue].
    @Nullable
    Write next;

    public Write(WriteBatch batch, CompletionSink sink) {
        this.batch = batch;
        this.sink = sink;
    }

    public final WriteBatch batch() {
        return batch;
    }

    public final CompletionSink sink() {
        return sink;
    }

    public final Outcome outcome() {
        return outcome;
    }

    /// Version of the batch's last mutation; meaningful once [Outcome#APPLIED].
    public final long version() {
        return version;
    }

    /// The reason for [Outcome#FAILED]; not null exactly then.
    public final @Nullable EngineException failure() {
        return failure;
    }

    /// Engine only: the enqueue time by [System#nanoTime]. Known for the first write of a group only.
    public final long queuedNanos() {
        return queuedNanos;
    }

    /// The times of its steps in the engine; null where the engine does not report them, or the write was not
    /// applied.
    public final @Nullable Steps steps() {
        return steps;
    }

    /// Engine only: sets the step times of an applied write before it is handed back. One object for all writes of a
    /// group.
    public final void took(Steps taken) {
        steps = taken;
    }

    /// Engine only: applied, its last mutation having this version.
    public final void applied(long lastVersion) {
        settle(Outcome.APPLIED);
        version = lastVersion;
    }

    /// Engine only: the condition did not hold.
    public final void refused() {
        settle(Outcome.REFUSED);
    }

    /// Engine only: not acknowledged, for this reason.
    public final void failed(EngineException reason) {
        settle(Outcome.FAILED);
        failure = reason;
    }

    /// Settles this write as another one was settled that the engine took in its place.
    public final void settledAs(Write other) {
        settle(other.outcome);
        version = other.version;
        failure = other.failure;
        steps = other.steps;
    }

    private void settle(Outcome settled) {
        if (outcome != Outcome.PENDING) {
            throw new IllegalStateException("write settled twice: " + outcome + ", then " + settled);
        }
        outcome = settled;
    }
}
