package kvant.server.http.answer;

import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.RequestTrace;
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

    /// By which id others know the request.
    RequestTrace trace();

    /// The same, with an id from now on.
    RequestTrace named();

    AnswerForm form();

    /// Whether this is the last answer of its connection.
    boolean closes();

    /// Makes it the last one: its end is the end of the connection.
    void close();

    /// It broke off in a way that its framing cannot tell.
    void markCutOff();
}
