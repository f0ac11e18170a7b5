package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvant.server.http.contract.Problem;
import kvant.text.Json;

/// The unchanging bytes of an error answer (RFC 9457), laid out once per [Problem].
///
/// @param head status line and headers, but for those of [CommonLines], `Connection` and the line end before them
/// @param body the problem document
record ErrorAnswer(byte[] head, byte[] body) {

    private static final byte[] NO_ID = {};
    private static final ErrorAnswer[] ALL = Arrays.stream(Problem.values())
            .map(problem -> layOut(problem, problem.detail(), NO_ID))
            .toArray(ErrorAnswer[]::new);

    /// Lays all of them out, unless that has been done.
    static void prepare() {
        // Any call initialises the class.
    }

    static ErrorAnswer of(Problem problem) {
        return ALL[problem.ordinal()];
    }

    /// With a detail of its own, and the id of the request if somebody may look for it; laid out anew unless it is the
    /// usual one.
    ///
    /// @param detail empty for the usual one
    /// @param requestId ASCII, or empty
    static ErrorAnswer of(Problem problem, String detail, byte[] requestId) {
        String said = detail.isEmpty() ? problem.detail() : detail;
        byte[] id = problem.isLookedInto() ? requestId : NO_ID;
        return id.length == 0 && said.equals(problem.detail()) ? of(problem) : layOut(problem, said, id);
    }

    private static ErrorAnswer layOut(Problem problem, String detail, byte[] id) {
        Json json = Json.line()
                .open()
                .put("type", problem.type())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", detail);
        if (id.length > 0) {
            json.put("requestId", new String(id, StandardCharsets.US_ASCII));
        }
        String document = json.close().toString();
        byte[] body = (document + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + problem.status() + " " + problem.reason()
                + "\r\nContent-Type: application/problem+json"
                + (problem.challenge().isEmpty() ? "" : "\r\nWWW-Authenticate: " + problem.challenge())
                + (problem.allow().isEmpty() ? "" : "\r\nAllow: " + problem.allow())
                + (problem == Problem.UNSUPPORTED_CODING ? "\r\nAccept-Encoding: identity" : "")
                + (problem.retryAfterSeconds() == Problem.NO_RETRY
                        ? ""
                        : "\r\nRetry-After: " + problem.retryAfterSeconds())
                + "\r\nContent-Length: " + body.length;
        return new ErrorAnswer(head.getBytes(StandardCharsets.US_ASCII), body);
    }
}
