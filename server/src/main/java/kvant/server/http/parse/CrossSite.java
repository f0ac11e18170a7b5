package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import kvant.server.http.contract.Authority;
import kvant.server.http.contract.Bytes;
import org.jspecify.annotations.Nullable;

/// The check for cross-site requests of browsers (RFC 6454; Fetch Metadata). Any page can make a browser send some
/// writes; the browser only keeps the answers from the page. Clients other than browsers send neither `Origin` nor
/// `Sec-Fetch-Site`.
///
/// An origin is the node's own when its host and port equal those that the request names; a missing port is the
/// default of the origin's scheme. The schemes themselves are not compared: behind a proxy that ends TLS they differ.
final class CrossSite {

    private static final byte[] SAME_ORIGIN = "same-origin".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NONE = "none".getBytes(StandardCharsets.US_ASCII);

    /// No browser sends a longer one.
    static final int MAX_ORIGIN_LENGTH = "https://".length() + Authority.MAX_LENGTH;

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private CrossSite() {}

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
