package kvant.server.http.parse;

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
}
