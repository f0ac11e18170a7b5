package kvant.load.http;

/// Finds the ends of the answers on one connection, and their meaning. Takes bytes as they arrive, in pieces of any
/// size.
///
/// Owned by the loop of the connection.
public abstract class AnswerReader {

    /// Receives the value in an answer, piece by piece, and knows the request.
    @FunctionalInterface
    public interface BodyListener {
        void body(byte[] bytes, int from, int to);

        /// Whether the answer is to a request for one value.
        default boolean isRead() {
            return true;
        }
    }

    /// Result of [#feed] for bytes that are no answer.
    public static final int GARBAGE = -1;

    protected int status;
    protected long bodyBytes;
    private String complaint = "";

    /// Resets the state for a new connection.
    public abstract void reset();

    /// Takes bytes up to the end of one answer.
    ///
    /// @return the position reached: `to`, less if an answer is complete before that, or [#GARBAGE]
    public abstract int feed(byte[] bytes, int from, int to, BodyListener listener);

    /// True if an answer is complete; the next [#feed] starts another.
    public abstract boolean isDone();

    /// A one-line description of the answer that the end of the connection cut off; empty if none had started.
    public abstract String cut();

    /// An HTTP status code; for other protocols, the equivalent one.
    public int status() {
        return status;
    }

    /// Length of the value so far.
    public long bodyBytes() {
        return bodyBytes;
    }

    /// @return false
    protected final boolean refuse(String what) {
        complaint = what;
        return false;
    }

    /// Description of the error, after [#GARBAGE].
    public final String complaint() {
        return complaint;
    }

    /// True if the server will close the connection after this answer.
    public boolean closes() {
        return false;
    }

    /// Called when the peer has closed. Returns whether that completes an answer whose body had no other end.
    public boolean end() {
        return false;
    }

    /// True if [#cut()] is the beginning of something that is not this protocol.
    public boolean isForeign() {
        return false;
    }

    /// True if bytes received while no request was in flight announce that the idle connection will be closed.
    public boolean isIdleTimeout(byte[] bytes, int from, int to) {
        return false;
    }
}
