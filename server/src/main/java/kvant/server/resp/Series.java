package kvant.server.resp;

import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// Requests one after the other, each of which follows from what became of the one before. Between two of them others
/// get their turn. Owned by one event loop.
public abstract non-sealed class Series implements Action {

    abstract Request first();

    /// @param outcome no failure; a batch of records belongs to the service again after this call
    /// @return null where there is a reply
    abstract @Nullable Request next(Outcome outcome);

    /// Once there is no request any more.
    abstract Reply reply();

    /// What is held for the reply that is being made.
    abstract long heldBytes();
}
