package kvant.engine;

/// A receiver of completed writes: one per event loop, so that a commit group wakes each loop once.
///
/// An engine calls [#completed] for every write of a group, then [#wake] once for every sink that the group touched.
/// Both are called from the engine's commit thread (or from within [Engine#submit]) and must not block.
public interface CompletionSink {

    /// Takes a settled write; need not act on it before [#wake].
    void completed(Write write);

    /// Processes the completed writes: the whole group has been delivered.
    void wake();
}
