package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import kvant.server.request.Outcome;

/// What the head of a page says of its content: the type, and for a page that a browser runs, what it may do.
final class PageHead {

    private static final String POLICY = "\r\nContent-Security-Policy: ";
    private static final String ALONE = "\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin";

    private PageHead() {}

    static byte[] of(Outcome.Page page) {
        String policy = page.policy();
        String text = policy.isEmpty() ? page.contentType() : page.contentType() + POLICY + policy + ALONE;
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
