package kvant.server.request;

/// Makes a page about the node, such as its figures.
public interface PageSource {

    /// Called by one thread at a time, which may block.
    ///
    /// @param accept media types that the client asks for
    Outcome.Page page(String accept);
}
