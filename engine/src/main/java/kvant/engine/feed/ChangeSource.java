package kvant.engine.feed;

/// An engine with a change feed. Not every [kvant.engine.Engine] is one.
public interface ChangeSource {

    /// The feed of the store's writes. Always the same object.
    ChangeFeed changes();
}
