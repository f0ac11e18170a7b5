package kvant.engine;

/// A store behind a network: point reads are answered later, and no thread waits for them.
///
/// A request may say how many replicas must answer and how long that may take; see [Terms].
public non-sealed interface RemoteEngine extends Engine {

    /// The number of replicas of each key, which is the most a request may ask for.
    int replicas();

    /// Looks a key up and returns at once; the answer goes to the read itself. Never throws: a failure goes to the
    /// read too.
    void submit(Read read, Terms terms);

    /// As [#submit(Write)], with these parameters.
    void submit(Write write, Terms terms);

    /// Uses the default parameters.
    @Override
    default void submit(Write write) {
        submit(write, Terms.USUAL);
    }
}
