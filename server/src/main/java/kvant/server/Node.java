package kvant.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import kvant.engine.Engine;
import kvant.engine.Health;
import kvant.engine.MetricSink;
import kvant.engine.directory.LastBackup;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Peer;
import kvant.server.accesslog.AccessLog;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.admit.ClientMemory;
import kvant.server.http.HttpServer;
import kvant.server.http.Transport;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.HttpLimits.DirectMemory;
import kvant.server.http.contract.Route;
import kvant.server.observe.ActivityLog;
import kvant.server.observe.FixedPage;
import kvant.server.observe.HistoryPage;
import kvant.server.observe.MetricsPage;
import kvant.server.observe.SlowPage;
import kvant.server.observe.StatusPage;
import kvant.server.request.PageSource;
import kvant.server.service.RequestHandler;
import kvant.server.service.ServiceOptions;
import kvant.server.service.SlowRequest;
import org.jspecify.annotations.Nullable;

/// A running node: HTTP, and RESP if wanted, in front of an engine.
///
///     RUNNING --drain--> DRAINED --close--> CLOSED
///
/// Any thread but an event loop may call. Does not own the engine: the caller that opened it closes it, after the
/// node.
public final class Node implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Node.class.getName());
    private static final double MILLIS_PER_SECOND = 1e3;

    /// Name of the health check for the warm-up.
    private static final String WARM_UP = "warm-up";

    // Constant.
    private final NodeOptions options;
    private final RequestHandler handler;
    private final Listeners listeners;
    private final ClientMemory memory;
    private final NodeAccess access;
    private final @Nullable AccessLog log;
    private final SlowPage slow;
    private final List<Runnable> ends = new ArrayList<>(); // the last first

    // Guarded by this.
    private boolean drained;
    private boolean closed;

    /// Starts a node; it is bound and answers when this returns.
    ///
    /// @throws StartException saying in one line why it cannot, for example that the port is in use
    public static Node start(NodeOptions options, Engine engine) throws StartException {
        DirectMemory.bound();
        return new Node(options, engine);
    }

    private Node(NodeOptions options, Engine engine) throws StartException {
        this.options = options;
        InstantSource clock = InstantSource.system();
        HttpLimits limits = Descriptors.bound(options.limits());
        Transport transport = transportOf(options);
        long unreadBytes = transport.unreadBytes(options.eventLoops(), limits.maxUnreadBytes());
        memory = new ClientMemory(
                unreadBytes, limits.maxBufferedBodyBytes(), limits.maxAnswerBytes(), limits.maxTlsBytes());
        try {
            log = logOf(options.accessLog());
            ends.add(() -> close(log));
            access = new NodeAccess(options.access(), memory.tls(), limits.headTimeout());
            ends.add(access::close);
            handler = handlerOf(options, engine, clock, memory.answers());
            ends.add(handler::close);
            ActivityLog activities = ActivityLog.started(options.safepoints());
            ends.add(activities::close);
            engine.observe(activities);
            slow = new SlowPage(handler, activities);
            HistoryPage history =
                    HistoryPage.of(handler::measureRequests, options.livePage().isShown());
            ends.add(history::close);
            MetricsPage metrics = new MetricsPage();
            Map<Route, PageSource> pages = pagesOf(options, transport, handler, metrics, slow, history);
            prepare(handler, options);
            listeners = new Listeners(
                    options,
                    access,
                    log,
                    limits,
                    (listen, bounds) -> new HttpServer(listen, bounds, memory, handler, clock, pages));
            ends.add(listeners::close);
            metrics.show(this::measure);
        } catch (StartException | RuntimeException | Error e) {
            end();
            throw e;
        }
    }

    private void end() {
        ends.reversed().forEach(Runnable::run);
    }

    private static Transport transportOf(NodeOptions options) throws StartException {
        Transport transport = Listeners.transportOf(options.transport());
        if (options.transport() == TransportKind.AUTO && transport != Transport.IO_URING) {
            String reason = Objects.requireNonNullElse(Transport.IO_URING.obstacle(), "it takes Linux 6.0 or later");
            LOGGER.log(Level.INFO, "io_uring is not available ({0}): sockets by {1}", reason, transport.key());
        }
        return transport;
    }

    private static void prepare(RequestHandler handler, NodeOptions options) {
        handler.feed(options.slowFeed());
        handler.followers().bound(options.maxFollowers(), options.maxFollowLife());
        handler.makeFirstCalls();
        handler.readOnly(options.readOnly());
        if (!options.warmUp().isZero()) {
            handler.check(new Health.Check(
                    WARM_UP,
                    false,
                    "code is being compiled: wait, the node is ready within "
                            + options.warmUp().toSeconds() + " s"));
        }
    }

    private static @Nullable AccessLog logOf(@Nullable AccessLogOptions options) throws StartException {
        try {
            return options == null ? null : AccessLog.open(options);
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void close(@Nullable AccessLog log) {
        if (log != null) {
            log.close();
        }
    }

    private static Map<Route, PageSource> pagesOf(
            NodeOptions options,
            Transport transport,
            RequestHandler handler,
            MetricsPage metrics,
            SlowPage slow,
            HistoryPage history) {
        StatusPage status = new StatusPage(
                options.identity(),
                transport.key(),
                handler::health,
                new HiddenPaths(options.directories()),
                System::nanoTime);
        FixedPage live =
                FixedPage.live(options.livePage().hasKeys(options.access().isApart()));
        return new EnumMap<>(Map.of(
                Route.METRICS,
                metrics,
                Route.SLOW,
                slow,
                Route.UI,
                live,
                Route.UI_SLOW,
                Listeners.showsSlow(options) ? slow : slow.withoutKeys(),
                Route.UI_HISTORY,
                history,
                Route.STATUS,
                status,
                Route.OPEN_API,
                FixedPage.openApi()));
    }

    /// Tries to listen where a node with these options would, and stops at once. So a wrong address is found before a
    /// store is opened, which may take long and creates a directory.
    ///
    /// @throws StartException as [#start]
    public static void tryAddress(NodeOptions options) throws StartException {
        Listeners.tryAddresses(options);
    }

    /// Reads the files with permissions, as a start would.
    ///
    /// @throws InvalidFileException in one line with the file and its error
    public static void tryFiles(NodeOptions options) throws InvalidFileException {
        NodeAccess.check(options.access());
    }

    /// Records a command from the control socket in the audit log. Any thread may call.
    ///
    /// @param words of its caller, or empty
    /// @param changes whether the command changes the node or copies its data; such a command is logged each time
    public void told(String command, String words, boolean changes) {
        AccessControl owner = access.control.withoutTokens(); // the socket's owner
        String what = words.isEmpty() ? command : command + " " + AuditLog.quoted(words);
        if (changes) {
            owner.changed(what, "-", Peer.CONTROL);
        } else {
            owner.administrative(what, "-", Peer.CONTROL);
        }
    }

    /// Switches the refusal of clients' writes on or off. Any thread may call.
    public void readOnly(boolean wanted) {
        handler.readOnly(wanted);
    }

    /// Ends the warm-up: the node is ready if its engine is. Any thread may call.
    ///
    /// @param how result of the warm-up, in a few words
    public void warmedUp(String how) {
        handler.check(new Health.Check(WARM_UP, true, how));
    }

    /// Whether a request for data was answered. Any thread may call.
    public boolean hasServed() {
        return handler.hasServed();
    }

    /// `http://HOST:PORT`, with the real port.
    public String url() {
        return listeners.url();
    }

    /// The URLs for administration; empty where that is the clients' port.
    public List<String> adminUrls() {
        return listeners.adminUrls;
    }

    /// The further listeners, a line each for people: `RESP on redis://HOST:PORT`, `administration on URL`.
    public List<String> otherUrls() {
        List<String> lines = new ArrayList<>();
        String resp = listeners.respUrl();
        if (resp != null) {
            lines.add("RESP on " + resp);
        }
        adminUrls().forEach(url -> lines.add("administration on " + url));
        return lines;
    }

    /// The port for RESP; 0 where there is none.
    public int respPort() {
        return listeners.clients.respPort();
    }

    public int port() {
        return listeners.clients.port();
    }

    /// The slowest requests of the last minutes, with their keys, for an operator.
    public String slowRequests(boolean json) {
        return slow.text(json);
    }

    /// The process' background activities during a request, each with its name and duration.
    public List<String> causesOf(SlowRequest request) {
        return slow.meanwhile(request);
    }

    /// Stops accepting, answers accepted requests, and returns when all are answered or the drain timeout has passed.
    ///
    /// @return for a person: how many connections were drained, and how many remain to be cut off
    public synchronized String drain() {
        if (drained) {
            return "drained before";
        }
        drained = true;
        int open = connections();
        handler.followers().end();
        try {
            boolean answered = listeners.drain(options.drainTimeout());
            if (!answered && !options.drainTimeout().isZero()) { // 0 is the wish to cut requests off
                LOGGER.log(
                        Level.WARNING,
                        connections() + " connections were not answered within "
                                + options.drainTimeout().toMillis() + " ms and are being closed");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        int left = Math.min(open, connections());
        return (open == 0 ? "no open connections" : open - left + " of " + open + " connections drained")
                + (left == 0 ? "" : ", " + left + " cut off");
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
            listeners.abort();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        end();
    }

    /// Open connections.
    int connections() {
        return listeners.clients.connections();
    }

    /// The memory held on behalf of clients; for tests.
    ClientMemory memory() {
        return memory;
    }

    /// Range reads that hold a snapshot; for tests.
    int openScans() {
        return handler.openScans();
    }

    private void measure(MetricSink sink) {
        handler.measure(sink);
        StatusPage.Identity own = options.identity();
        String[] labels = {"version", own.version(), "commit", own.commit(), "engine", own.engine()};
        sink.gauge("kvant_build_info", "What runs here; always 1.", 1, labels);
        listeners.clients.measure(sink);
        memory.measure(sink);
        access.measure(sink);
        AccessLog.measure(log, sink);
        measureBackup(sink);
    }

    /// The time is recorded by the program that made the backup, so it is read each time.
    private void measureBackup(MetricSink sink) {
        Path data = options.data();
        if (data != null) {
            sink.gauge(
                    "kvant_backup_last_success_timestamp_seconds",
                    "What was acknowledged before is in a backup, in seconds since 1970; 0 where none is known.",
                    LastBackup.millis(data) / MILLIS_PER_SECOND);
        }
    }

    private static RequestHandler handlerOf(
            NodeOptions options, Engine engine, InstantSource clock, AnswerMemory answers) {
        HttpLimits limits = options.limits();
        int maxInFlight = Math.max(1, limits.maxInFlight() / options.eventLoops());
        ServiceOptions set = new ServiceOptions(
                limits.scanRoundBytes(), maxInFlight, options.pool(), options.writePool(), options.admission());
        return new RequestHandler(engine, clock, set, answers, options.executor()::open);
    }

    /// The file descriptors of the process: connections take no more than the engine can spare.
    static final class Descriptors {

        private static final Logger LOGGER = System.getLogger(Descriptors.class.getName());

        /// Divisor: descriptors reserved for files that the engine has yet to open, within bounds.
        private static final int SHARE_OF_FILES = 4;

        private static final long MOST_FOR_FILES = 512;

        private Descriptors() {}

        /// Bounds the connections by the available descriptors; logs it when that lowers the bound.
        ///
        /// To be called when the engine is open.
        static HttpLimits bound(HttpLimits limits) {
            if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean process)) {
                return limits; // unknown on this system
            }
            long most = process.getMaxFileDescriptorCount();
            int connections = connections(most, process.getOpenFileDescriptorCount());
            if (most <= 0 || connections >= limits.maxConnections()) {
                return limits;
            }
            LOGGER.log(
                    Level.WARNING,
                    "at most " + connections + " connections instead of " + limits.maxConnections()
                            + ", because the process may open " + most + " files: raise 'ulimit -n'");
            return limits.with(l -> l.maxConnections = connections);
        }

        /// @param most how many descriptors the process may have
        /// @param open how many it has before its first connection
        static int connections(long most, long open) {
            long files = Math.min(MOST_FOR_FILES, most / SHARE_OF_FILES);
            return Math.clamp(most - open - files, 1, Integer.MAX_VALUE);
        }
    }
}
