package kvant.server.service;

import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.Outcome;
import kvant.server.request.RecordBatch;
import org.jspecify.annotations.Nullable;

/// What answers a call in rounds, and lives from one to the next. All methods but [#pull] are called on the event loop
/// of the call, between rounds.
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
    /// @return null where nobody wants it any more
    @Nullable
    abstract Outcome pull(int maxBytes, AnswerMemory answers);

    /// Worker only: what comes of a round. Until something has been sent, a failure is an ordinary error answer.
    final Outcome outcomeOf(RecordBatch batch) {
        Outcome.Failed failure = batch.failure();
        if (failure != null && !delivered) {
            return failure;
        }
        delivered = true;
        return new Outcome.Records(batch);
    }

    /// Has the next round run, now or when there is something for it.
    void resume() {
        underWay.resumed();
        force();
    }

    /// Hands the call to the executor.
    final void force() {
        executor.force(call);
    }

    /// The round is over.
    final void settled() {
        underWay.ended();
    }

    /// The client has gone.
    ///
    /// @return whether the next round was asked for and has not been handed to the executor; it never will be
    boolean leave() {
        return false; // it was handed on at once
    }

    /// Nobody wants another round: what is held is let go, where that may block.
    abstract void closeLater();

    /// The client sends nothing more: it has closed its end, or has gone. Only writing tells which.
    void inputEnded() {}

    /// Whether what the largest round claimed stays claimed.
    abstract boolean keepsClaim();
}
