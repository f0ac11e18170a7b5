package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import kvant.server.http.contract.Authority;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import org.jspecify.annotations.Nullable;

/// The check for cross-site requests of browsers (RFC 6454; Fetch Metadata). Any page can make a browser send some
/// writes; the browser only keeps the answers from the page. Clients other than browsers send neither `Origin` nor
/// `Sec-Fetch-Site`.
///
/// An origin is the node's own when its host and port equal those that the request names; a missing port is the
/// default of the origin's scheme. The schemes themselves are not compared: behind a proxy that ends TLS they
/// differ.
///
/// Pages of allowed origins may write, too (CORS), after a preflight, the browser's question before such a
/// request. Owned by one event loop.
final class CrossSite {

    private static final byte[] SAME_ORIGIN = "same-origin".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONE = "none".getBytes(StandardCharsets.US_ASCII);

    /// No browser sends a longer one.
    private static final int MAX_ORIGIN_LENGTH = "https://".length() + Authority.MAX_LENGTH;

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    // Constant.
    private final CorsOrigins origins;

    CrossSite(CorsOrigins origins) {
        this.origins = origins;
    }

    /// Reads the header `Origin` where it matters. A second one makes the origin a foreign one.
    void origin(ByteBuf in, int from, int to, RequestHead head) {
        if (!head.isWrite() && !origins.areAny()) {
            return;
        }
        if (head.origin != null || to - from > MAX_ORIGIN_LENGTH) {
            head.foreignOrigin = true;
        } else {
            head.origin = in.toString(from, to - from, StandardCharsets.ISO_8859_1);
        }
    }

    /// Applies the check to a head before it is concluded.
    void judge(RequestHead head) {
        if (head.isWrite()) {
            head.crossSite |= head.foreignOrigin || head.origin != null && isForeignOrigin(head.origin, head.host);
        }
        if (!origins.areAny()) {
            return;
        }
        byte[] lines = head.origin == null
                        || head.foreignOrigin
                        || head.misdirected
                        || !Route.data().contains(head.route)
                ? null
                : origins.linesFor(head.origin);
        head.allowedOrigin = lines != null;
        head.corsLines = lines == null ? origins.linesForOthers() : lines;
        boolean asksFirst = head.method == Method.OPTIONS && head.requestedMethod && head.allowedOrigin;
        Problem unknownMethod = head.route == null ? null : head.route.refusal(head.method);
        if (asksFirst && head.refusal == unknownMethod) {
            head.preflight = true;
            head.refusal = null;
        }
    }

    /// True for a foreign `Sec-Fetch-Site`: only a page of the same origin, or a person without a page, may write.
    static boolean isForeignSite(ByteBuf in, int from, int to) {
        return !Bytes.equals(in, from, to, SAME_ORIGIN) && !Bytes.equals(in, from, to, NONE);
    }

    /// @param origin `null` stands for an opaque origin, which may be any page
    /// @param host that the request names
    static boolean isForeignOrigin(String origin, @Nullable Authority host) {
        String text = origin.toLowerCase(Locale.ROOT);
        boolean secure = text.startsWith(HTTPS);
        if (host == null || !secure && !text.startsWith(HTTP)) {
            return true;
        }
        Authority own = Authority.parse(text.substring(secure ? HTTPS.length() : HTTP.length()));
        if (own == null || own.host().isEmpty() || !own.host().equals(host.host())) {
            return true;
        }
        int usualPort = secure ? HTTPS_PORT : HTTP_PORT;
        return port(own, usualPort) != port(host, usualPort);
    }

    private static int port(Authority authority, int usual) {
        return authority.port() == Authority.NO_PORT ? usual : authority.port();
    }
}
