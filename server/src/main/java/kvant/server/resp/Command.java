package kvant.server.resp;

import kvant.server.request.Outcome;
import kvant.server.request.Request;

/// A command that asks the node for something. All of its requests may go side by side.
///
/// Owned by one event loop.
public abstract sealed class Command implements Action permits Single, Several {

    /// How many requests it has, one or more.
    public abstract int requests();

    /// The request of this number; asked for once.
    public abstract Request request(int index);

    /// What became of it. A batch of records belongs to the service again after this call.
    public abstract void answered(int index, Outcome outcome);

    /// Once all are answered.
    public abstract Reply reply();
}
