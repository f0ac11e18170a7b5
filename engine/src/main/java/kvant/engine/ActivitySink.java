package kvant.engine;

/// Receives the background activities of an engine: flushes, compactions, write stalls. They explain slow
/// requests of the same time.
///
/// Called by the engine's own threads, a few times a second at most; must not block.
public interface ActivitySink {

    /// An activity begins.
    ///
    /// @param kind one word, such as `flush`
    /// @return its id, for [#ended]
    long began(String kind);

    /// Reports the end of the activity, successful or not.
    void ended(long id);

    /// Something that has ended, and turned out to be worth telling.
    ///
    /// @param kind as of [#began]; may be several words
    void during(String kind, long beginNanos, long endNanos);

    /// Ignores all activities.
    ActivitySink NONE = new ActivitySink() {
        @Override
        public long began(String kind) {
            return 0;
        }

        @Override
        public void ended(long id) {}

        @Override
        public void during(String kind, long beginNanos, long endNanos) {}
    };
}
