package kvant.server.http.answer;

import java.util.stream.IntStream;

/// In which form a client takes its answer. There is one of each, so that requests share them.
///
/// @param headOnly whether the body is left out, as for HEAD
/// @param http10 whether the client speaks HTTP/1.0: no chunks, and a connection that stays open says so
/// @param ndjson whether a range is written as ND-JSON
/// @param verbose whether the checks of a readiness are written where all is well
public record AnswerForm(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {

    private static final AnswerForm[] ALL = IntStream.range(0, 16)
            .mapToObj(i -> new AnswerForm((i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0))
            .toArray(AnswerForm[]::new);

    /// Of a request that says nothing of it.
    public static final AnswerForm PLAIN = ALL[0];

    public static AnswerForm of(boolean headOnly, boolean http10, boolean ndjson, boolean verbose) {
        return ALL[(headOnly ? 1 : 0) | (http10 ? 2 : 0) | (ndjson ? 4 : 0) | (verbose ? 8 : 0)];
    }
}
