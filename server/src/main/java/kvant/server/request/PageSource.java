package kvant.server.request;

import org.jspecify.annotations.Nullable;

/// Makes a page about the node, such as its figures.
public interface PageSource {

    /// The page, where it can be had without any work; called by any thread.
    default Outcome.@Nullable Page ready() {
        return null;
    }

    /// A page that was not ready is not made either, because too many wait already; called by any thread.
    default void refused() {}

    /// Called by one thread at a time, which may block.
    ///
    /// @param accept media types that the client asks for
    Outcome.Page page(String accept);
}
