package kvant.load.http;

/// Finds the ends of the answers on one connection, and their meaning. Takes bytes as they arrive, in pieces of any
/// size.
///
/// Owned by the loop of the connection.
public interface AnswerReader {

    /// Receives the value in an answer, piece by piece, and knows the request.
    @FunctionalInterface
    interface BodyListener {
        void body(byte[] bytes, int from, int to);

        /// Whether the answer is to a request for one value.
        default boolean isRead() {
            return true;
        }
    }

    /// Result of [#feed] for bytes that are no answer.
    int GARBAGE = -1;

    /// Resets the state for a new connection.
    void reset();

    /// True if an answer is complete; the next [#feed] starts another.
    boolean isDone();

    /// An HTTP status code; for other protocols, the equivalent one.
    int status();

    /// Length of the value so far.
    long bodyBytes();

    /// True if the server will close the connection after this answer.
    boolean closes();

    /// Description of the error, after [#GARBAGE].
    String complaint();

    /// Called when the peer has closed. Returns whether that completes an answer whose body had no other end.
    boolean end();

    /// A one-line description of the answer that the end of the connection cut off; empty if none had started.
    String cut();

    /// True if [#cut()] is the beginning of something that is not this protocol.
    default boolean isForeign() {
        return false;
    }

    /// True if bytes received while no request was in flight announce that the idle connection will be closed.
    default boolean isIdleTimeout(byte[] bytes, int from, int to) {
        return false;
    }

    /// Takes bytes up to the end of one answer.
    ///
    /// @return the position reached: `to`, less if an answer is complete before that, or [#GARBAGE]
    int feed(byte[] bytes, int from, int to, BodyListener listener);
}
