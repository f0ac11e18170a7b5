package kvant.server.request;

import org.jspecify.annotations.Nullable;

/// Makes a page about the node, such as its figures.
public interface PageSource {

    /// The page, where it can be had without any work; called by any thread.
    default Outcome.@Nullable Page ready() {
        return null;
    }

    /// Called by any thread when a page that was not ready cannot be made, because too many wait already.
    default void refused() {}

    /// Called by one thread at a time, which may block.
    ///
    /// @param accept media types that the client asks for
    Outcome.Page page(String accept);
}
