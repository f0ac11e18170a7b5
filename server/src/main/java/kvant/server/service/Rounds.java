package kvant.server.service;

/// What answers a call in rounds, and lives from one to the next. All methods are called on the event loop of
/// the call, between rounds.
interface Rounds {

    /// Has the next round run, now or when there is something for it.
    void resume();

    /// The round is over.
    void settled();

    /// The client has gone.
    ///
    /// @return whether the next round was asked for and has not been handed to the executor; it never will be
    boolean leave();

    /// Nobody wants another round: what is held is let go, where that may block.
    void closeLater();

    /// The client sends nothing more: it has closed its end, or has gone. Only writing tells which.
    void inputEnded();

    /// Whether what the largest round claimed stays claimed.
    boolean keepsClaim();
}
