package kvant.engine;

/// Is told what an engine does besides answering: flushes, compactions, stalls of writes. Somebody who looks at a
/// slow request wants to know what went on at the time.
///
/// Called by the engine's own threads, a few times a second at most; must not block.
public interface ActivitySink {

    /// Something begins.
    ///
    /// @param kind one word, such as `flush`
    /// @return what [#ended] is to be told
    long began(String kind);

    /// It has ended, well or not.
    void ended(long id);

    /// Takes no notice.
    ActivitySink NONE = new ActivitySink() {
        @Override
        public long began(String kind) {
            return 0;
        }

        @Override
        public void ended(long id) {}
    };
}
