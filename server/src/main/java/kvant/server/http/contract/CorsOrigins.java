package kvant.server.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The origins whose pages may read and write keys in the browsers of their visitors (CORS, in the Fetch standard), and
/// what answers say to those browsers. Immutable; shared by event loops.
///
/// Without any, answers say nothing of it. An origin is allowed as a whole and by name: there is no pattern and no `*`.
/// Cookies and client certificates never count (no `Access-Control-Allow-Credentials`); a page sends its token itself.
public final class CorsOrigins {

    public static final CorsOrigins NONE = new CorsOrigins(Set.of());

    /// Lifetime of a preflight's answer in the browser.
    private static final int MAX_AGE_SECONDS = 600;

    private static final byte[] NOTHING = {};

    /// Caches keep answers to different origins apart, also those to none.
    private static final byte[] VARY = ascii("Vary: Origin\r\n");

    /// The additional header lines of an answer to a preflight request.
    public static final byte[] PREFLIGHT = ascii("HTTP/1.1 204 No Content"
            + "\r\nAccess-Control-Allow-Methods: GET, HEAD, PUT, DELETE, POST"
            + "\r\nAccess-Control-Allow-Headers: Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range,"
            + " Kvant-Deadline-Millis, X-Request-Id, traceparent"
            + "\r\nAccess-Control-Max-Age: " + MAX_AGE_SECONDS);

    private final Map<String, byte[]> lines = new LinkedHashMap<>();

    private CorsOrigins(Collection<String> origins) {
        for (String origin : origins) {
            lines.put(
                    origin,
                    ascii("Access-Control-Allow-Origin: " + origin
                            + "\r\nAccess-Control-Expose-Headers: Content-Range, ETag, Retry-After, X-Request-Id"
                            + "\r\nVary: Origin\r\n"));
        }
    }

    /// @param origins as browsers send them, `https://app.example` or `http://localhost:3000`
    /// @throws IllegalArgumentException saying in one line which is none
    public static CorsOrigins of(Collection<String> origins) {
        origins.forEach(CorsOrigins::check);
        return origins.isEmpty() ? NONE : new CorsOrigins(origins);
    }

    /// Browsers send the host in lower case and leave out the usual port: another spelling would never be found.
    private static void check(String origin) {
        String authority = origin.replaceFirst("^https?://", "");
        Authority parsed = authority.length() == origin.length() ? null : Authority.parse(authority);
        String usual = origin.startsWith("https://") ? ":443" : ":80";
        if (parsed == null
                || parsed.host().isEmpty()
                || authority.endsWith(":")
                || authority.endsWith(usual)
                || !authority.equals(authority.toLowerCase(Locale.ROOT))
                || authority.indexOf('*') >= 0) {
            throw new IllegalArgumentException("'" + origin + "' is no origin: give http:// or https://, the host in"
                    + " lower case and its port unless it is the usual one, and nothing else, as in"
                    + " https://app.example");
        }
    }

    public boolean areAny() {
        return !lines.isEmpty();
    }

    /// @return the header lines for a page of this origin, or null where the origin is not allowed
    public byte @Nullable [] linesFor(String origin) {
        return lines.get(origin);
    }

    /// The header lines for requests of any other origin.
    public byte[] linesForOthers() {
        return areAny() ? VARY : NOTHING;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
