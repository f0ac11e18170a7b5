package kvant.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import kvant.server.accesslog.AccessLog.AccessLogOptions;
import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.ServedHosts;
import kvant.server.observe.StatusPage;
import kvant.server.resp.ScriptLimits;
import kvant.server.service.SlowFeed;
import kvant.text.Drafts;
import org.jspecify.annotations.Nullable;

/// The settings of a node.
///
///     NodeOptions.defaults().withExecutor(ExecutorKind.ASYNC).with(o -> o.port = 0)
///
/// @param host name or address to listen on
/// @param port port to listen on; 0 for any that is free
/// @param respPort port for RESP, the protocol of Redis, on the same host; 0 for any that is free, [#NO_PORT] for
///     none
/// @param script bounds of a script that comes over RESP
/// @param executor threads on which requests call the engine
/// @param pool workers of [ExecutorKind#ASYNC], for reads alone where there is a `writePool`; and of
///     [ExecutorKind#ADAPTIVE], for calls that would block
/// @param writePool workers of [ExecutorKind#ASYNC] for writes alone, or null
/// @param admission rules for refusing requests
/// @param eventLoops threads that read and write sockets
/// @param transport network I/O of these threads
/// @param drainTimeout longest time that [Node#drain] waits for answers
/// @param limits bounds of the HTTP side
/// @param allowedHosts names that a request may have in `Host`, besides IP addresses and `localhost`. Without any, a
///     node that listens on an address other than loopback accepts all names
/// @param corsOrigins origins whose pages may read and write keys in a browser; none unless they are listed
/// @param directories of the engine's files: answers show only the file names
/// @param data the data directory whose last backup the node reports, or null
/// @param access permissions of clients
/// @param slowPage whether there is `/debug/slow`, which shows keys to every client that reaches the port
/// @param livePage content of `/ui`
/// @param strictPaths whether an unknown path gets 400, and not 404
/// @param readOnly whether writes of clients are refused
/// @param warmUp longest time of a [kvant.server.warm.WarmUp], which the caller that starts the node has to begin.
///     The node is not ready before the warm-up has ended; 0 for none
/// @param maxFollowers clients that may follow the changes of the store at a time; more are answered 503
/// @param maxFollowLife longest duration of an answer to one of them, which ends with the position to continue from:
///     it bounds the further use of a removed token
/// @param identity program and engine, as reported by the node
/// @param accessLog settings of the access log, or null
/// @param slowFeed gets each slow request, or null
/// @param safepoints whether to record when the JVM had stopped all threads
public record NodeOptions(
        String host,
        int port,
        int respPort,
        ScriptLimits script,
        ExecutorKind executor,
        PoolOptions pool,
        @Nullable PoolOptions writePool,
        AdmissionOptions admission,
        int eventLoops,
        TransportKind transport,
        Duration drainTimeout,
        HttpLimits limits,
        List<String> allowedHosts,
        List<String> corsOrigins,
        List<String> directories,
        @Nullable Path data,
        AccessOptions access,
        boolean slowPage,
        LivePageKind livePage,
        boolean strictPaths,
        boolean readOnly,
        Duration warmUp,
        int maxFollowers,
        Duration maxFollowLife,
        StatusPage.Identity identity,
        @Nullable AccessLogOptions accessLog,
        @Nullable SlowFeed slowFeed,
        boolean safepoints) {

    /// A queue without a bound of its own; requests in flight are bounded all the same.
    public static final int UNBOUNDED = PoolOptions.UNBOUNDED;

    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 8080;
    public static final ExecutorKind DEFAULT_EXECUTOR = ExecutorKind.ADAPTIVE;

    /// Half of the cores: the engine and the clients of a small machine need the others. On two cores that
    /// clients share, a second loop costs a third more CPU per request and answers a quarter less
    /// (docs/results/http-2026-11-22.md).
    public static final int DEFAULT_EVENT_LOOPS =
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(30);
    public static final int DEFAULT_MAX_FOLLOWERS = 64;
    public static final Duration DEFAULT_MAX_FOLLOW_LIFE = Duration.ofHours(1);

    /// No listener.
    public static final int NO_PORT = AccessOptions.NO_PORT;

    private static final int MAX_PORT = 65_535;
    private static final int MAX_THREADS = 1024;
    private static final Duration MAX_WARM_UP = Duration.ofMinutes(1);
    private static final int MAX_FOLLOWERS = 10_000;

    public NodeOptions {
        if (host.isBlank()) {
            throw new IllegalArgumentException("the host is not empty");
        }
        within(0, MAX_PORT, port, "the port");
        if (respPort != NO_PORT) {
            within(0, MAX_PORT, respPort, "the port for RESP");
        }
        if (respPort > 0 && respPort == port) {
            throw new IllegalArgumentException("HTTP and RESP have a port each, not both " + port);
        }
        within(1, MAX_THREADS, eventLoops, "the number of event loops");
        within(0, MAX_FOLLOWERS, maxFollowers, "the number of clients that follow changes");
        if (!maxFollowLife.isPositive()) {
            throw new IllegalArgumentException("an answer that follows changes lasts more than 0 s");
        }
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "the drain timeout is 0 s or more, not " + drainTimeout.toSeconds() + " s");
        }
        if (warmUp.isNegative() || warmUp.compareTo(MAX_WARM_UP) > 0) {
            throw new IllegalArgumentException(
                    "a warm-up takes 0 to " + MAX_WARM_UP.toSeconds() + " s, not " + warmUp.toSeconds() + " s");
        }
        allowedHosts = List.copyOf(allowedHosts);
        corsOrigins = List.copyOf(corsOrigins);
        CorsOrigins.of(corsOrigins);
        directories = List.copyOf(directories);
        ServedHosts.named(allowedHosts);
        if (writePool != null && executor != ExecutorKind.ASYNC) {
            throw new IllegalArgumentException("only the async executor has workers for writes");
        }
    }

    public static NodeOptions defaults() {
        return Drafts.made(NodeOptions.class, new Draft());
    }

    /// These options with some changed.
    public NodeOptions with(Consumer<Draft> change) {
        return Drafts.changed(NodeOptions.class, this, new Draft(), change);
    }

    /// This executor with its own default pool and admission.
    public NodeOptions withExecutor(ExecutorKind value) {
        return with(o -> {
            o.executor = value;
            o.pool = value.defaultPool();
            o.writePool = null;
            o.admission = value.defaultAdmission();
        });
    }

    /// The same pool with as many workers, no more and no less.
    public NodeOptions withWorkers(int count) {
        return with(o -> o.pool = o.pool.withWorkers(count));
    }

    /// The same pool with a queue of this length.
    public NodeOptions withQueue(int length) {
        return with(o -> o.pool = o.pool.withQueue(length));
    }

    private static void within(int least, int most, int value, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + least + " to " + most + ", not " + value);
        }
    }

    /// Options in the making; begins with the defaults.
    public static final class Draft {

        public String host = DEFAULT_HOST;
        public int port = DEFAULT_PORT;
        public int respPort = NO_PORT;
        public ScriptLimits script = ScriptLimits.DEFAULT;
        public ExecutorKind executor = DEFAULT_EXECUTOR;
        public PoolOptions pool = DEFAULT_EXECUTOR.defaultPool();
        public @Nullable PoolOptions writePool;
        public AdmissionOptions admission = DEFAULT_EXECUTOR.defaultAdmission();
        public int eventLoops = DEFAULT_EVENT_LOOPS;
        public TransportKind transport = TransportKind.AUTO;
        public Duration drainTimeout = DEFAULT_DRAIN_TIMEOUT;
        public HttpLimits limits = HttpLimits.defaults();
        public List<String> allowedHosts = List.of();
        public List<String> corsOrigins = List.of();
        public List<String> directories = List.of();
        public @Nullable Path data;
        public AccessOptions access = AccessOptions.none();
        public boolean slowPage;
        public LivePageKind livePage = LivePageKind.AUTO;
        public boolean strictPaths;
        public boolean readOnly;
        public Duration warmUp = Duration.ZERO;
        public int maxFollowers = DEFAULT_MAX_FOLLOWERS;
        public Duration maxFollowLife = DEFAULT_MAX_FOLLOW_LIFE;
        public StatusPage.Identity identity = StatusPage.Identity.UNKNOWN;
        public @Nullable AccessLogOptions accessLog;
        public @Nullable SlowFeed slowFeed;
        public boolean safepoints;

        private Draft() {}
    }

    /// The content of a node's live page, `/ui`.
    public enum LivePageKind {
        /// Like `KEYS` at the port of the clients; at an administrative one, where there are no keys, like `FIGURES`.
        AUTO,
        /// Figures and a key browser. At an administrative port the paths of keys are then there too.
        KEYS,
        /// Figures alone.
        FIGURES,
        /// There is no such page.
        OFF;

        boolean isShown() {
            return this != OFF;
        }

        /// @param apart whether the page is at an administrative port
        boolean hasKeys(boolean apart) {
            return this == KEYS || this == AUTO && !apart;
        }
    }
}
