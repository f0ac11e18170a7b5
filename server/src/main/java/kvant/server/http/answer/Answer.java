package kvant.server.http.answer;

import java.util.stream.IntStream;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.RequestTrace;
import org.jspecify.annotations.Nullable;

/// The content and form of an answer, as an [AnswerWriter] needs them.
public interface Answer {

    /// The reason why the request never reached the service; if present, it is the answer.
    @Nullable
    Problem problem();

    /// The outcome to write, unless there is a [#problem].
    @Nullable
    Outcome outcome();

    /// The header lines for cross-origin requests of browsers, whole lines.
    byte[] corsLines();

    /// The id by which other systems know the request.
    RequestTrace trace();

    /// The same, with an id from now on.
    RequestTrace named();

    AnswerForm form();

    /// Whether this is the last answer of its connection.
    boolean closes();

    /// Makes it the last one: its end is the end of the connection.
    void close();

    /// Marks an answer that broke off in a way that its framing cannot show.
    void markCutOff();

    /// The form in which a client takes its answer. There is one object of each, shared by requests.
    ///
    /// @param headOnly whether the body is left out, as for HEAD
    /// @param http10 whether the client speaks HTTP/1.0: no chunks, and an open connection needs `Connection:
    ///     keep-alive`
    /// @param ndjson whether a range is written as ND-JSON
    /// @param verbose whether the checks of a readiness are written even if all is well
    record AnswerForm(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {

        private static final AnswerForm[] ALL = IntStream.range(0, 16)
                .mapToObj(i -> new AnswerForm((i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0))
                .toArray(AnswerForm[]::new);

        /// The form for requests without preferences.
        public static final AnswerForm PLAIN = ALL[0];

        public static AnswerForm of(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {
            return ALL[(headOnly ? 1 : 0) | (http10 ? 2 : 0) | (ndjson ? 4 : 0) | (verbose ? 8 : 0)];
        }
    }
}
