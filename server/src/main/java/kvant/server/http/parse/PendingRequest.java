package kvant.server.http.parse;

import kvant.server.http.contract.Problem;

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
}
