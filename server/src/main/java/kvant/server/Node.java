package kvant.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.engine.Engine;
import kvant.engine.MetricSink;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.ClientMemory;
import kvant.server.http.HttpFigures;
import kvant.server.http.HttpServer;
import kvant.server.http.ListenOptions;
import kvant.server.http.Transport;
import kvant.server.http.contract.DirectMemory;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.ServedHosts;
import kvant.server.observe.ActivityLog;
import kvant.server.observe.MetricsPage;
import kvant.server.observe.OpenApiPage;
import kvant.server.observe.SlowPage;
import kvant.server.observe.StatusPage;
import kvant.server.service.NodePages;
import kvant.server.service.Service;
import kvant.server.service.ServiceOptions;

/// A running node: HTTP in front of a service in front of an engine.
///
///     RUNNING --drain--> DRAINED --close--> CLOSED
///
/// Any thread but an event loop may call. Does not own the engine: whoever opened it closes it, after the
/// node.
public final class Node implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Node.class.getName());

    // Constant.
    private final NodeOptions options;
    private final Service service;
    private final HttpServer http;
    private final ClientMemory memory;
    private final ActivityLog activities;
    private final SlowPage slow;
    private final String url;

    // Guarded by this.
    private boolean drained;
    private boolean closed;

    private Node(
            NodeOptions options,
            Service service,
            HttpServer http,
            ClientMemory memory,
            ActivityLog activities,
            SlowPage slow) {
        this.options = options;
        this.service = service;
        this.http = http;
        this.memory = memory;
        this.activities = activities;
        this.slow = slow;
        String host = options.host();
        this.url =
                "http://" + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + http.port();
    }

    /// Starts a node; it is bound and answers when this returns.
    ///
    /// @throws StartException saying in one line why it cannot, for example that the port is in use
    public static Node start(NodeOptions options, Engine engine) throws StartException {
        DirectMemory.bound();
        Transport transport = transportOf(options.transport());
        InetSocketAddress address = addressOf(options);
        ListenOptions listen =
                new ListenOptions(address, transport, options.eventLoops(), exposureOf(options, address.getAddress()));
        InstantSource clock = InstantSource.system();
        HttpLimits limits = Descriptors.bound(options.limits());
        ClientMemory memory =
                new ClientMemory(limits.maxUnreadBytes(), limits.maxBufferedBodyBytes(), limits.maxAnswerBytes());
        Service service = serviceOf(options, engine, clock, memory.answers());
        ActivityLog activities = ActivityLog.started(options.safepoints());
        engine.observe(activities);
        MetricsPage metrics = new MetricsPage();
        SlowPage slow = new SlowPage(service, activities);
        StatusPage status = new StatusPage(
                options.identity(), engine::health, new HiddenPaths(options.directories()), System::nanoTime);
        NodePages pages = new NodePages(metrics, slow, status, new OpenApiPage());
        service.warmUp();
        try {
            HttpServer http = HttpServer.start(listen, limits, memory, service, clock, pages);
            Node node = new Node(options, service, http, memory, activities, slow);
            metrics.show(node::measure);
            return node;
        } catch (IOException e) {
            activities.close();
            service.close();
            throw cannotListen(options, e);
        }
    }

    /// Tries to listen where a node with these options would, and stops at once: what is wrong with an address is
    /// known before a store is opened, which may take long and creates a directory.
    ///
    /// @throws StartException as [#start]
    public static void tryAddress(NodeOptions options) throws StartException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(true); // as the node's own
            listener.bind(addressOf(options));
        } catch (IOException e) {
            throw cannotListen(options, e);
        }
    }

    /// `http://HOST:PORT`, with the real port.
    public String url() {
        return url;
    }

    public int port() {
        return http.port();
    }

    /// The slowest requests of the last minutes, with their keys, for an operator.
    public String slowRequests(boolean json) {
        return slow.text(json);
    }

    /// Stops accepting, answers what was accepted, and returns when all is answered or the drain timeout has
    /// passed.
    public synchronized void drain() {
        if (drained) {
            return;
        }
        drained = true;
        try {
            if (!http.drain(options.drainTimeout())) {
                LOGGER.log(
                        Level.WARNING,
                        http.connections() + " connections were not answered within "
                                + options.drainTimeout().toMillis() + " ms and are being closed");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Drains, then releases all threads.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        drain();
        try {
            http.abort();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        activities.close();
        service.close();
        http.close();
    }

    /// Open connections.
    int connections() {
        return http.connections();
    }

    /// What clients make it hold; for tests.
    ClientMemory memory() {
        return memory;
    }

    /// Bytes that request bodies hold.
    long bufferedBodyBytes() {
        return memory.bodies().claimedBytes();
    }

    /// Bytes of values on their way to clients.
    long answerBytes() {
        return memory.answers().claimedBytes();
    }

    /// Range reads that hold a snapshot; for tests.
    int openScans() {
        return service.openScans();
    }

    private void measure(MetricSink sink) {
        service.measure(sink);
        sink.gauge(
                "kvant_build_info",
                "What runs here; always 1.",
                1,
                "version",
                options.identity().version(),
                "commit",
                options.identity().commit(),
                "engine",
                options.identity().engine());
        sink.gauge("kvant_connections", "Open connections.", connections());
        measure(sink, http.figures());
        memory.measure(sink);
    }

    private static void measure(MetricSink sink, HttpFigures http) {
        sink.counter(
                "kvant_accept_failures_total",
                "Connections that could not be accepted for want of a file descriptor.",
                http.acceptFailures());
        String closed = "Connections that were closed because others needed their places.";
        sink.counter("kvant_connections_closed_total", closed, http.closedForOthers(), "cause", "full");
        sink.counter("kvant_connections_closed_total", closed, http.closedForAddress(), "cause", "address");
        String failed = "Connections that were closed because something failed in the node.";
        sink.counter("kvant_connections_failed_total", failed, http.failedForMemory(), "cause", "memory");
        sink.counter("kvant_connections_failed_total", failed, http.failedUnexpectedly(), "cause", "unexpected");
        sink.gauge(
                "kvant_direct_memory_bytes",
                "Memory outside of the heap that buffers of connections take.",
                http.directBytes());
        sink.gauge("kvant_direct_memory_max_bytes", "How much of it they may take.", http.maxDirectBytes());
    }

    private static Service serviceOf(NodeOptions options, Engine engine, InstantSource clock, AnswerMemory answers) {
        HttpLimits limits = options.limits();
        int maxInFlight = Math.max(1, limits.maxInFlight() / options.eventLoops());
        ServiceOptions service = new ServiceOptions(
                limits.scanRoundBytes(), maxInFlight, options.pool(), options.writePool(), options.admission());
        return switch (options.executor()) {
            case SYNC -> Service.sync(engine, clock, service, answers);
            case ASYNC -> Service.async(engine, clock, service, answers);
            case VIRTUAL -> Service.virtual(engine, clock, service, answers);
            case ADAPTIVE -> Service.adaptive(engine, clock, service, answers);
        };
    }

    private static Transport transportOf(TransportKind kind) throws StartException {
        Transport transport = switch (kind) {
            case AUTO -> Transport.best();
            case EPOLL -> Transport.EPOLL;
            case NIO -> Transport.NIO;
            case IO_URING -> Transport.IO_URING;
        };
        String obstacle = transport.obstacle();
        if (obstacle != null) {
            throw new StartException("transport " + kind.name().toLowerCase(Locale.ROOT)
                    + " is not available on this machine (" + obstacle + "): choose another, or auto");
        }
        return transport;
    }

    private static InetSocketAddress addressOf(NodeOptions options) throws StartException {
        try {
            return new InetSocketAddress(InetAddress.getByName(options.host()), options.port());
        } catch (UnknownHostException e) {
            throw new StartException("unknown host " + options.host(), e);
        }
    }

    /// On a loopback address names are those of the options and the one that it listens on; on another address any
    /// name is served until some are listed.
    private static Exposure exposureOf(NodeOptions options, InetAddress address) {
        boolean any = !address.isLoopbackAddress() && options.allowedHosts().isEmpty();
        List<String> names = new ArrayList<>(options.allowedHosts());
        if (ServedHosts.isName(options.host())) {
            names.add(options.host());
        }
        return new Exposure(
                any ? ServedHosts.all() : ServedHosts.named(names),
                options.slowPage(),
                options.strictPaths(),
                new HiddenPaths(options.directories()));
    }

    private static StartException cannotListen(NodeOptions options, IOException e) {
        String where = options.host() + ":" + options.port();
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (reason.contains("Address already in use") || e instanceof BindException && reason.contains("in use")) {
            return new StartException(
                    "port " + options.port() + " on " + options.host()
                            + " is in use: stop what listens there, or choose another port",
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
