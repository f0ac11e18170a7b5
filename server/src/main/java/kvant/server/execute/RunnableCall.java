package kvant.server.execute;

import kvant.server.admit.RequestKind;
import kvant.server.execute.WorkQueue.Waiting;

/// A call as an executor sees it.
///
/// Belongs to its event loop until it is submitted, and to the executor from then on. The thread that runs it brings
/// its outcome back by [#arrive] or [#deliver], once.
public non-sealed interface RunnableCall extends Waiting {

    /// The progress of a call without blocking.
    enum Progress {
        /// The outcome is there; the executor brings it back.
        DONE,
        /// The engine has it, and brings the outcome back.
        UNDER_WAY,
        /// Nothing has happened: it needs a thread that may wait.
        WOULD_BLOCK,
        /// Nothing has happened: it keeps a thread busy.
        TAKES_LONG
    }

    /// The reason for refusing a call without running it.
    enum Refusal {
        OVERLOADED,
        DEADLINE_PASSED
    }

    RequestKind kind();

    /// The time at which it was handed to the executor.
    long queuedNanos();

    /// Whether its deadline has passed.
    boolean isOverdue(long nowNanos);

    /// Whether it need not be started, because its client is gone.
    boolean isUnwanted();

    /// Loop only: for the recording, whether a thread has nothing to do but this call.
    void threadFree(boolean free);

    /// Records the start of its execution.
    void startedAt(long nanos);

    /// Loop only: carries out the part that is possible without blocking; throws nothing.
    ///
    /// @param executor where a range runs its later rounds
    Progress tryRun(CallExecutor executor);

    /// Carries it out; may block. Throws nothing: a failure is an outcome, too.
    ///
    /// @param executor where a range runs its later rounds
    /// @return true if the caller must bring the outcome back; false if the engine has the call and brings it back,
    ///     or if the outcome is no longer needed
    boolean run(CallExecutor executor);

    /// Loop only: brings the outcome back.
    void arrive();

    /// Brings the outcome back from any thread, through the mailbox of the loop.
    void deliver();

    /// Ends it without running it, from any thread.
    void refuse(Refusal reason);
}
