package kvant.server.http.parse;

import kvant.server.http.contract.Problem;
import kvant.server.request.Request;

/// A request that has its place in the order while the rest of it is being read.
public interface PendingRequest {

    /// Whether its answer is settled before all of it was read: its body is not wanted.
    boolean isRefused();

    void refuse(Problem reason);

    /// Whether it is the last one of its connection.
    boolean closes();

    /// Makes it the last one of its connection.
    void close();

    /// The client waits for a `100 Continue` before it sends the body.
    void awaitContinue();

    /// All of it was read. Not called for one that is refused.
    ///
    /// @param claimedBytes claim on the memory of its body and of a long key, which goes over to the receiver
    void complete(Request request, long claimedBytes);
}
