package kvant.load.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import kvant.text.Check;
import kvant.text.UserException;

/// The server under test.
///
/// @param scheme `http`, `https`, or `redis` for that protocol
/// @param host as in the URL, an IPv6 address in brackets
/// @param path path and query, at least `/`
public record Target(String scheme, String host, int port, String path) {

    public static final String HTTP = "http";
    public static final String HTTPS = "https";
    public static final String REDIS = "redis";

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int REDIS_PORT = 6379;
    private static final int MOST_PORT = 65_535;

    /// @throws IllegalArgumentException with a readable one-line reason
    public static Target parse(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + url + "' is not a URL: " + e.getReason());
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            throw new IllegalArgumentException("'" + url + "' is not a URL such as http://127.0.0.1:8080");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        Check.that(
                Set.of(HTTP, HTTPS, REDIS).contains(scheme),
                "'" + url + "': only http://, https:// and redis:// can be measured, not " + uri.getScheme());
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("'" + url + "': a user or a fragment has no meaning here");
        }
        Check.that(
                uri.getPort() != 0 && uri.getPort() <= MOST_PORT,
                "'" + url + "': a port is a number from 1 to " + MOST_PORT);
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        Target target =
                new Target(scheme, uri.getHost(), uri.getPort() < 0 ? usualPort(scheme) : uri.getPort(), path + query);
        Check.that(!target.isRedis() || !target.hasPath(), "'" + url + "': a path has no meaning for Redis");
        return target;
    }

    private static int usualPort(String scheme) {
        return switch (scheme) {
            case REDIS -> REDIS_PORT;
            case HTTPS -> HTTPS_PORT;
            default -> HTTP_PORT;
        };
    }

    /// True for the Redis protocol, false for HTTP.
    public boolean isRedis() {
        return scheme.equals(REDIS);
    }

    /// Whether its connections use TLS.
    public boolean isSecure() {
        return scheme.equals(HTTPS);
    }

    /// True if the URL names a resource, not only a server.
    public boolean hasPath() {
        return !path.equals("/");
    }

    public String authority() {
        return port == usualPort(scheme) ? host : host + ":" + port;
    }

    public String url() {
        return scheme + "://" + authority() + path;
    }

    /// The host without the brackets of an IPv6 address.
    public String name() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /// The first of [#addresses()].
    public InetSocketAddress address() {
        return addresses().getFirst();
    }

    /// Queries the name service and returns all addresses in its order.
    ///
    /// @throws UserException when there is none
    public List<InetSocketAddress> addresses() {
        try {
            List<InetSocketAddress> all = new ArrayList<>();
            for (InetAddress each : InetAddress.getAllByName(name())) {
                all.add(new InetSocketAddress(each, port));
            }
            return all;
        } catch (UnknownHostException _) {
            throw new UserException("cannot find the host '" + host + "'");
        }
    }
}
