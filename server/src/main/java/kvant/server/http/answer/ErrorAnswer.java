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

    private static final ErrorAnswer[] ALL = Arrays.stream(Problem.values())
            .map(problem -> layOut(problem, problem.detail()))
            .toArray(ErrorAnswer[]::new);

    /// Lays all of them out, unless that has been done.
    static void prepare() {
        // Any call initialises the class.
    }

    static ErrorAnswer of(Problem problem) {
        return ALL[problem.ordinal()];
    }

    /// With a detail of its own; laid out anew unless it is the usual one.
    static ErrorAnswer of(Problem problem, String detail) {
        return detail.isEmpty() || detail.equals(problem.detail()) ? of(problem) : layOut(problem, detail);
    }

    private static ErrorAnswer layOut(Problem problem, String detail) {
        String document = Json.line()
                .open()
                .put("type", problem.type())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", detail)
                .close()
                .toString();
        byte[] body = (document + "\n").getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + problem.status() + " " + problem.reason()
                + "\r\nContent-Type: application/problem+json"
                + (problem.challenge().isEmpty() ? "" : "\r\nWWW-Authenticate: " + problem.challenge())
                + (problem.allow().isEmpty() ? "" : "\r\nAllow: " + problem.allow())
                + (problem.retryAfterSeconds() == Problem.NO_RETRY
                        ? ""
                        : "\r\nRetry-After: " + problem.retryAfterSeconds())
                + "\r\nContent-Length: " + body.length;
        return new ErrorAnswer(head.getBytes(StandardCharsets.US_ASCII), body);
    }
}
