package kvant.server.service;

import kvant.server.admit.AnswerMemory;
import kvant.server.request.Outcome;
import org.jspecify.annotations.Nullable;

/// What answers a call in rounds, and lives from one to the next. All methods but [#pull] are called on the event loop
/// of the call, between rounds.
interface Rounds {

    /// Worker only: runs a round of about as many bytes as asked for, and at least one record where there is one.
    ///
    /// @return null where nobody wants it any more
    @Nullable
    Outcome pull(int maxBytes, AnswerMemory answers);

    /// Has the next round run, now or when there is something for it.
    void resume();

    /// The round is over.
    void settled();

    /// The client has gone.
    ///
    /// @return whether the next round was asked for and has not been handed to the executor; it never will be
    default boolean leave() {
        return false; // it was handed on at once
    }

    /// Nobody wants another round: what is held is let go, where that may block.
    void closeLater();

    /// The client sends nothing more: it has closed its end, or has gone. Only writing tells which.
    default void inputEnded() {}

    /// Whether what the largest round claimed stays claimed.
    boolean keepsClaim();
}
