package kvant.server.execute;

/// What may wait in the queue of a pool: a call, or a nudge.
sealed interface Waiting permits RunnableCall, Waiting.Nudge {

    /// Makes the worker that takes it look at the overflow of its pool and at whether that is closed. There is one
    /// constant, because all nudges mean the same.
    enum Nudge implements Waiting {
        NUDGE
    }
}
