package kvant.server.http.parse;

import kvant.server.http.contract.Problem;
import kvant.server.request.Request;

/// Where the requests of one client go, in the order in which they were sent.
public interface RequestSink {

    /// Whether another request may begin now.
    boolean hasRoom();

    /// A request begins, and has its place in the order from now on: its head was read, or was found to be wrong.
    ///
    /// @param head used again for the next request: valid during this call
    PendingRequest begin(RequestHead head);

    /// All of a request was read. Not called for one that is refused.
    ///
    /// @param claimedBytes claim on the memory of its body and of a long key, which goes over to the receiver
    void complete(PendingRequest read, Request request, long claimedBytes);

    /// A request that has its place in the order while the rest of it is being read.
    interface PendingRequest {

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
}
