package kvant.server.http.parse;

import kvant.server.http.contract.Problem;
import kvant.server.request.Request;

/// A receiver of the requests of one client, in the order in which they were sent.
public interface RequestSink {

    /// Whether another request may begin now.
    boolean hasRoom();

    /// Begins a request and fixes its place in the order: its head was read, or was found to be wrong.
    ///
    /// @param head used again for the next request: valid during this call
    PendingRequest begin(RequestHead head);

    /// Handles a request that was read completely. Not called for one that is refused.
    ///
    /// @param claimedBytes claim on the memory of its body and of a long key, which goes over to the receiver
    void complete(PendingRequest read, Request request, long claimedBytes);

    /// A request that has its place in the order while the rest of it is being read.
    interface PendingRequest {

        /// Whether its answer is settled before all of it was read; then its body is not needed.
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
