package kvant.server.http.answer;

import java.util.stream.IntStream;
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

    /// In which form a client takes its answer. There is one of each, so that requests share them.
    ///
    /// @param headOnly whether the body is left out, as for HEAD
    /// @param http10 whether the client speaks HTTP/1.0: no chunks, and a connection that stays open says so
    /// @param ndjson whether a range is written as ND-JSON
    /// @param verbose whether the checks of a readiness are written where all is well
    record AnswerForm(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {

        private static final AnswerForm[] ALL = IntStream.range(0, 16)
                .mapToObj(i -> new AnswerForm((i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0))
                .toArray(AnswerForm[]::new);

        /// Of a request that says nothing of it.
        public static final AnswerForm PLAIN = ALL[0];

        public static AnswerForm of(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {
            return ALL[(headOnly ? 1 : 0) | (http10 ? 2 : 0) | (ndjson ? 4 : 0) | (verbose ? 8 : 0)];
        }
    }
}
