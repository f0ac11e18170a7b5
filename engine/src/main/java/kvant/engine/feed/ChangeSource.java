package kvant.engine.feed;

/// An engine that can tell what was written, in order. Not every [kvant.engine.Engine] is one.
public interface ChangeSource {

    /// What was written. Always the same one.
    ChangeFeed changes();
}
