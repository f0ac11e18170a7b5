package kvant.server.execute;

import kvant.server.admit.RequestKind;
import kvant.server.execute.WorkQueue.Waiting;

/// A call as an executor sees it.
///
/// Belongs to its event loop until it is submitted, and to the executor from then on; whoever runs it brings its
/// outcome back by [#arrive] or [#deliver], once.
public non-sealed interface RunnableCall extends Waiting {

    /// How far a call came without blocking.
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

    /// Why a call is turned away without being run.
    enum Refusal {
        OVERLOADED,
        DEADLINE_PASSED
    }

    RequestKind kind();

    /// When it was handed to the executor.
    long queuedNanos();

    /// Whether its deadline has passed.
    boolean isOverdue(long nowNanos);

    /// Before it is begun: whether its client is gone, and it need not be.
    boolean isUnwanted();

    /// Loop only: for the recording, whether a thread has nothing to do but this call.
    void threadFree(boolean free);

    /// Whoever runs it begins.
    void startedAt(long nanos);

    /// Loop only: carries it out as far as that is possible without blocking; throws nothing.
    ///
    /// @param executor where a range runs its later rounds
    Progress tryRun(CallExecutor executor);

    /// Carries it out; may block. Throws nothing: whatever goes wrong is an outcome.
    ///
    /// @param executor where a range runs its later rounds
    /// @return whether the outcome is there, for the caller to bring back; else the engine has the call and brings
    ///     it back, or nobody waits for it
    boolean run(CallExecutor executor);

    /// Loop only: brings the outcome back.
    void arrive();

    /// Brings the outcome back from any thread, through the mailbox of the loop.
    void deliver();

    /// Ends it without running it, from any thread.
    void refuse(Refusal reason);
}
