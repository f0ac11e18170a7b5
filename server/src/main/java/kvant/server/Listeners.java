package kvant.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.access.AccessControl;
import kvant.server.accesslog.AccessLog;
import kvant.server.http.HttpServer;
import kvant.server.http.HttpServer.ListenOptions;
import kvant.server.http.Transport;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Route;
import kvant.server.http.contract.ServedHosts;
import org.jspecify.annotations.Nullable;

/// The listeners of a node: the port of its clients, and a separate one for administration, if there is one.
///
/// Each has event loops and bounds of its own, so that a node with many clients can still be observed.
final class Listeners implements AutoCloseable {

    /// Makes a server.
    @FunctionalInterface
    interface Opener {
        HttpServer open(ListenOptions listen, HttpLimits limits) throws IOException;
    }

    private static final Logger LOGGER = System.getLogger(Listeners.class.getName());
    private static final int ADMIN_CONNECTIONS = 64;
    private static final Duration ADMIN_DRAIN = Duration.ofSeconds(1);

    // Constant.
    private final NodeOptions options;
    private final NodeAccess access;
    private final @Nullable AccessLog log;
    private final Opener opener;
    private final HttpLimits limits;
    final HttpServer clients; // the clients' port
    private final List<HttpServer> administrative = new ArrayList<>();
    final List<String> adminUrls = new ArrayList<>();
    private @Nullable UnixSocket socket;

    /// Binds the listeners and starts to answer.
    ///
    /// @param log access log, or null
    /// @throws StartException with the reason in one line
    Listeners(NodeOptions options, NodeAccess access, @Nullable AccessLog log, HttpLimits limits, Opener opener)
            throws StartException {
        this.options = options;
        this.access = access;
        this.log = log;
        this.limits = limits;
        this.opener = opener;
        AccessOptions who = options.access();
        Set<Route> routes = who.isApart() ? Route.data() : withLivePage(Route.all(showsSlow(options)));
        clients = open(options.host(), options.port(), "kvant", options.eventLoops(), routes, limits);
        try {
            openAdministrative(who);
            openResp();
        } catch (StartException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// Tries to listen where a node with these options would, and stops at once.
    static void tryAddresses(NodeOptions options) throws StartException {
        tryAddress(options.host(), options.port());
        if (options.respPort() != NodeOptions.NO_PORT) {
            tryAddress(options.host(), options.respPort());
        }
        if (options.access().adminPort() != AccessOptions.NO_PORT) {
            tryAddress(options.access().adminHost(), options.access().adminPort());
        }
    }

    private static void tryAddress(String host, int port) throws StartException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true); // as the node's own
            listener.bind(addressOf(host, port));
        } catch (IOException e) {
            throw cannotListen(host, port, e);
        }
    }

    private void openAdministrative(AccessOptions who) throws StartException {
        HttpLimits few = limits.with(l -> {
            l.maxConnections = Math.min(l.maxConnections, ADMIN_CONNECTIONS);
            l.maxConnectionsPerAddress = 0;
        });
        if (who.adminPort() != AccessOptions.NO_PORT) {
            Set<Route> routes = withLivePage(Route.administrative(showsSlow(options)));
            HttpServer server = open(who.adminHost(), who.adminPort(), "kvant-admin", 1, routes, few);
            administrative.add(server);
            adminUrls.add(url(who.adminHost(), server.port()));
        }
        Path path = who.adminSocket();
        if (path != null) {
            openSocket(path, few);
        }
    }

    /// The clients' other port, if there is one.
    private void openResp() throws StartException {
        if (options.respPort() == NodeOptions.NO_PORT) {
            return;
        }
        try {
            clients.listenResp(
                    addressOf(options.host(), options.respPort()),
                    options.identity().version(),
                    options.identity().engine(),
                    options.script());
        } catch (IOException e) {
            throw cannotListen(options.host(), options.respPort(), e);
        }
    }

    /// Whether `/debug/slow`, which shows keys, is served at the port for administration.
    static boolean showsSlow(NodeOptions options) {
        AccessOptions who = options.access();
        return options.slowPage() || who.isApart() && who.authenticates();
    }

    private Set<Route> withLivePage(Set<Route> routes) {
        LivePageKind page = options.livePage();
        return page.isShown()
                ? Route.union(
                        routes, Route.livePage(page.hasKeys(options.access().isApart())))
                : routes;
    }

    /// Opens the control socket. Only its owner reaches it, who needs no token and no TLS.
    private void openSocket(Path path, HttpLimits few) throws StartException {
        Exposure exposure = new Exposure(
                ServedHosts.all(),
                Route.administrative(true),
                options.strictPaths(),
                new HiddenPaths(options.directories()),
                CorsOrigins.NONE,
                access.control.withoutTokens(),
                log);
        try {
            UnixSocket file = UnixSocket.prepare(path);
            try {
                administrative.add(opener.open(
                        new ListenOptions(file.address(), Transport.NIO, 1, "kvant-socket", exposure, null), few));
                adminUrls.add("unix:" + path);
                file.publish();
            } catch (IOException | RuntimeException | Error e) {
                file.discard();
                throw e;
            }
            socket = file;
        } catch (IOException e) {
            throw new StartException(
                    "cannot listen on the socket " + path + ": " + e.getMessage()
                            + " (its path has at most 90 bytes, in a directory that this user may write)",
                    e);
        }
    }

    private HttpServer open(String host, int port, String name, int eventLoops, Set<Route> routes, HttpLimits bounds)
            throws StartException {
        InetSocketAddress address = addressOf(host, port);
        Exposure exposure = exposureOf(host, address.getAddress(), routes, access.control);
        try {
            return opener.open(
                    new ListenOptions(
                            address, transportOf(options.transport()), eventLoops, name, exposure, access.tls),
                    bounds);
        } catch (IOException e) {
            throw cannotListen(host, port, e);
        }
    }

    /// On a loopback address the accepted names are those of the options and the one that it listens on; on another
    /// address any name is accepted until some are listed.
    private Exposure exposureOf(String host, InetAddress address, Set<Route> routes, AccessControl control) {
        boolean any = !address.isLoopbackAddress() && options.allowedHosts().isEmpty();
        List<String> names = new ArrayList<>(options.allowedHosts());
        if (ServedHosts.isName(host)) {
            names.add(host);
        }
        return new Exposure(
                any ? ServedHosts.all() : ServedHosts.named(names),
                routes,
                options.strictPaths(),
                new HiddenPaths(options.directories()),
                routes.contains(Route.BATCH) ? CorsOrigins.of(options.corsOrigins()) : CorsOrigins.NONE,
                control,
                log);
    }

    /// The URL for clients.
    String url() {
        return url(options.host(), clients.port());
    }

    /// The URL of RESP, or null.
    @Nullable
    String respUrl() {
        return options.respPort() == NodeOptions.NO_PORT
                ? null
                : (access.tls == null ? "redis://" : "rediss://") + authority(options.host(), clients.respPort());
    }

    private String url(String host, int port) {
        return (access.tls == null ? "http://" : "https://") + authority(host, port);
    }

    private static String authority(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    /// Stops accepting, and waits for the answers to clients; administrative requests are still served meanwhile.
    ///
    /// @return whether no connection of a client is left
    boolean drain(Duration timeout) throws InterruptedException {
        boolean drained = clients.drain(timeout);
        for (HttpServer server : administrative) {
            server.drain(ADMIN_DRAIN);
        }
        return drained;
    }

    void abort() throws InterruptedException {
        clients.abort();
        for (HttpServer server : administrative) {
            server.abort();
        }
    }

    @Override
    public void close() {
        clients.close();
        administrative.forEach(HttpServer::close);
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                LOGGER.log(
                        Level.WARNING,
                        "cannot remove {0}: {1}",
                        options.access().adminSocket(),
                        e.getMessage());
            }
        }
    }

    /// @throws StartException where this machine does not have the one that was chosen
    static Transport transportOf(TransportKind kind) throws StartException {
        Transport transport = kind == TransportKind.AUTO ? Transport.best() : Transport.valueOf(kind.name());
        String obstacle = transport.obstacle();
        if (obstacle != null) {
            throw new StartException("transport " + transport.key() + " is not available on this machine (" + obstacle
                    + "): choose another, or auto");
        }
        return transport;
    }

    private static InetSocketAddress addressOf(String host, int port) throws StartException {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new StartException("unknown host " + host, e);
        }
    }

    private static StartException cannotListen(String host, int port, IOException e) {
        String where = host + ":" + port;
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (reason.contains("Address already in use") || e instanceof BindException && reason.contains("in use")) {
            return new StartException(
                    "port " + port + " on " + host
                            + " is in use: stop the process that listens there, or choose another port",
                    e);
        }
        if (reason.contains("ermission denied")) {
            return new StartException("no permission to listen on " + where + ": choose a port of 1024 or above", e);
        }
        if (reason.contains("annot assign requested address")) {
            return new StartException("cannot listen on " + where + ": this machine has no such address", e);
        }
        return new StartException("cannot listen on " + where + ": " + reason, e);
    }
}
