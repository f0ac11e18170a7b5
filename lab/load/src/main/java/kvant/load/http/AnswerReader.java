package kvant.load.http;

/// Finds where the answers on one connection end, and what each of them says. Takes bytes as they come, in
/// pieces of any size.
///
/// Owned by the loop of the connection.
public interface AnswerReader {

    /// Hears the value in an answer, piece by piece, and knows what was asked.
    @FunctionalInterface
    interface BodyListener {
        void body(byte[] bytes, int from, int to);

        /// Whether the answer is to a request for one value.
        default boolean isRead() {
            return true;
        }
    }

    /// What [#feed] says of bytes that are no answer.
    int GARBAGE = -1;

    /// Forgets everything: the connection is a new one.
    void reset();

    /// Whether an answer is complete; the next [#feed] begins another.
    boolean isDone();

    /// A status of HTTP; of another protocol, the one that says the same.
    int status();

    /// Length of the value so far.
    long bodyBytes();

    /// Whether the server will close the connection after this answer.
    boolean closes();

    /// What was wrong, after [#GARBAGE].
    String complaint();

    /// The peer has closed. Whether that completes an answer, because its body had no other end.
    boolean end();

    /// What the end of the connection cut off, in a line for a person; empty where no answer had begun.
    String cut();

    /// Whether [#cut()] is the beginning of something that is no answer of this protocol.
    default boolean isForeign() {
        return false;
    }

    /// Whether bytes that came while nothing was in flight are an announcement that the connection, being idle, will be
    /// closed.
    default boolean isIdleTimeout(byte[] bytes, int from, int to) {
        return false;
    }

    /// Takes bytes up to the end of one answer.
    ///
    /// @return how far it came: `to`, or less where an answer is complete before, or [#GARBAGE]
    int feed(byte[] bytes, int from, int to, BodyListener listener);
}
