package kvant.server.http.answer;

import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import org.jspecify.annotations.Nullable;

/// What an [AnswerWriter] writes, and in which form.
public interface Answer {

    /// Why the request never reached the service; then this is what is written.
    @Nullable
    Problem problem();

    /// What to write, unless there is a [#problem].
    @Nullable
    Outcome outcome();

    /// What is said to browsers that ask for a page of another origin, whole lines.
    byte[] corsLines();

    /// By which id others know the request, or empty.
    byte[] requestId();

    /// Makes one where there is none.
    void name();

    /// Whether the body is left out, as for HEAD.
    boolean headOnly();

    /// Whether the client speaks HTTP/1.0: no chunks, and a connection that stays open says so.
    boolean http10();

    /// Whether a range is written as ND-JSON.
    boolean ndjson();

    /// Whether the checks of a readiness are written where all is well.
    boolean verbose();

    /// Whether this is the last answer of its connection.
    boolean closes();

    /// Makes it the last one: its end is the end of the connection.
    void close();

    /// It broke off in a way that its framing cannot tell.
    void markCutOff();
}
