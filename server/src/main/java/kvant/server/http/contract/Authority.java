package kvant.server.http.contract;

import io.netty.util.NetUtil;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The host and port that a request names: `uri-host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2).
///
/// @param host in lower case, an address of IPv6 in brackets; empty where the request states that there is none
/// @param isAddress whether the host is an IP address, which cannot be registered as a name
/// @param port or [#NO_PORT]
public record Authority(String host, boolean isAddress, int port) {

    public static final int NO_PORT = -1;

    /// A name of DNS has up to 253 characters; a port follows.
    public static final int MAX_LENGTH = 261;

    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_DIGITS = 5;
    private static final int HEX = 16;
    private static final String NAME_PUNCTUATION = "-._~!$&'()*+,;=";

    /// @return null when this is no authority
    public static @Nullable Authority parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        int hostEnd = hostEnd(text);
        int port = port(text, hostEnd);
        if (hostEnd < 0 || hostEnd == 0 && !text.isEmpty() || port < NO_PORT) {
            return null;
        }
        String host = text.substring(0, hostEnd).toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            return isIpV6(host) ? new Authority(host, true, port) : null;
        }
        return isName(host) ? new Authority(host, NetUtil.isValidIpV4Address(host), port) : null;
    }

    /// @return negative where a bracket never closes
    private static int hostEnd(String text) {
        if (text.startsWith("[")) {
            return text.indexOf(']') < 0 ? -1 : text.indexOf(']') + 1;
        }
        return text.indexOf(':') < 0 ? text.length() : text.indexOf(':');
    }

    /// @return [#NO_PORT] where there is none; a smaller number where the text behind the host is not a port
    private static int port(String text, int hostEnd) {
        int digits = text.length() - hostEnd - 1;
        if (hostEnd < 0 || digits < 0) {
            return NO_PORT;
        }
        int port = 0;
        for (int i = hostEnd + 1; i < text.length() && port >= 0; i++) {
            int digit = text.charAt(i) - '0';
            port = digit < 0 || digit > 9 || digits > MAX_PORT_DIGITS ? NO_PORT - 1 : port * 10 + digit;
        }
        boolean valid = text.charAt(hostEnd) == ':' && port >= 0 && port <= MAX_PORT;
        if (!valid) {
            return NO_PORT - 1;
        }
        return digits == 0 ? NO_PORT : port;
    }

    /// Accepts no zone, which has a meaning only on the client's machine.
    private static boolean isIpV6(String bracketed) {
        String address = bracketed.substring(1, bracketed.length() - 1);
        return address.indexOf('%') < 0 && address.indexOf('[') < 0 && NetUtil.isValidIpV6Address(address);
    }

    private static boolean isName(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean allowed = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || NAME_PUNCTUATION.indexOf(c) >= 0;
            if (!allowed && !(c == '%' && isHex(host, i + 1) && isHex(host, i + 2))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(String text, int at) {
        return at < text.length() && text.charAt(at) < 0x80 && Character.digit(text.charAt(at), HEX) >= 0;
    }
}
