package kvant.server.http.parse;

/// Where the requests of one client go, in the order in which they were sent.
public interface RequestSink {

    /// Whether another request may begin now.
    boolean hasRoom();

    /// A request begins, and has its place in the order from now on: its head was read, or was found to be wrong.
    ///
    /// @param head used again for the next request: valid during this call
    PendingRequest begin(RequestHead head);
}
