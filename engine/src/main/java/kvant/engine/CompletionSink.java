package kvant.engine;

/// Where completed writes go: one per event loop, so that a commit group wakes each loop once.
///
/// An engine calls [#completed] for every write of a group, then [#wake] once for every sink that the group touched.
/// Both are called from the engine's commit thread (or from within [Engine#submit]) and must not block.
public interface CompletionSink {

    /// Takes a settled write; need not act on it before [#wake].
    void completed(Write write);

    /// A group has been delivered: act on what was taken.
    void wake();
}
