package kvant.server.service;

import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import org.jspecify.annotations.Nullable;

/// The state of a call that is answered in rounds, kept from one round to the next. All methods but [#pull] are
/// called on the event loop of the call, between rounds.
abstract class Rounds {

    // Constant.
    final Call call;
    final ScanLimiter underWay;
    private final CallExecutor executor;

    // Owned by the worker of the round.
    private boolean delivered;

    Rounds(CallExecutor executor, ScanLimiter underWay, Call call) {
        this.executor = executor;
        this.underWay = underWay;
        this.call = call;
    }

    /// Worker only: runs a round of about as many bytes as asked for, and at least one record where there is one.
    ///
    /// @return null where the round is no longer needed
    @Nullable
    abstract Outcome pull(int maxBytes, AnswerMemory answers);

    /// Worker only: the outcome of a round. Until something has been sent, a failure is an ordinary error answer.
    final Outcome outcomeOf(RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (failure != null && !delivered) {
            return failure;
        }
        delivered = true;
        return new Outcome.Records(batch);
    }

    /// Starts the next round, now or when there is something for it.
    void resume() {
        underWay.resumed();
        force();
    }

    /// Hands the call to the executor.
    final void force() {
        executor.force(call);
    }

    /// Ends the round.
    final void settled() {
        underWay.ended();
    }

    /// Handles the client's disconnection.
    ///
    /// @return whether the next round was asked for and has not been handed to the executor; it never will be
    boolean leave() {
        return false; // it was handed on at once
    }

    /// Releases the held resources, on a thread that may block; no further round is needed.
    abstract void closeLater();

    /// Handles the end of the client's input: it has closed its side, or is gone. Only a write shows which.
    void inputEnded() {}

    /// Whether the memory claimed by the largest round stays claimed.
    abstract boolean keepsClaim();
}
