package kvant.server.warm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import kvant.engine.Engine;
import kvant.server.AccessOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import kvant.server.NodeOptions.LivePageKind;
import kvant.server.StartException;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;

/// Has the JVM compile the path of requests before a node reports that it is ready.
///
/// A second node with the same options, over an empty engine and a folder of its own, answers requests of every
/// operation that this thread sends through the loopback. It ends when the compilers have little to do, when its time
/// is over, or when the node has requests of real clients, which come first. Its files are deleted; the node's own
/// store is not touched.
///
/// It cannot warm TLS, whose keys are not its own, nor the files of an existing store.
public final class WarmUp implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(WarmUp.class.getName());
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    // Constant.
    private final Node node;
    private final NodeOptions options;
    private final Scratch.Opener scratches;
    private final Runnable ready;
    private final Thread thread;

    // Atomic.
    private volatile boolean stopped;

    private WarmUp(Node node, NodeOptions options, Scratch.Opener scratches, Runnable ready) {
        this.node = node;
        this.options = options;
        this.scratches = scratches;
        this.ready = ready;
        this.thread = Thread.ofPlatform().name("kvant-warm-up").daemon().unstarted(this::run);
    }

    /// Begins to warm up; the node says that it is ready when that has ended.
    ///
    /// @param options of the node, which have for how long
    /// @param scratches gives an empty engine of the node's kind
    /// @param ready called when the node is ready, by another thread
    public static WarmUp start(Node node, NodeOptions options, Scratch.Opener scratches, Runnable ready) {
        WarmUp warmUp = new WarmUp(node, options, scratches, ready);
        warmUp.thread.start();
        return warmUp;
    }

    private void run() {
        String result;
        try {
            result = warm();
        } catch (IOException | StartException | RuntimeException e) {
            if (!stopped) {
                LOGGER.log(
                        Level.WARNING,
                        "the node is not warmed up, its first seconds will be slower: " + e.getMessage());
            }
            result = "failed: the first seconds are slower";
        }
        node.warmedUp(result);
        if (!stopped) {
            ready.run();
        }
    }

    private String warm() throws IOException, StartException {
        long begunNanos = System.nanoTime();
        String secret = TokenSecret.generate(new SecureRandom());
        try (Scratch scratch = scratches.open();
                Node served = Node.start(ownOptions(scratch.folder(), secret), scratch.engine());
                LoopbackClient client = new LoopbackClient(served.port(), secret)) {
            String end = drive(client);
            double seconds = (System.nanoTime() - begunNanos) / NANOS_PER_SECOND;
            return String.format(Locale.ROOT, "%d requests in %.1f s%s", client.answered(), seconds, end);
        }
    }

    /// Late answers on a machine with other work are no trouble, and so no warning: the node's status has them.
    ///
    /// @return why it ended, where that was not for its own reasons
    private String drive(LoopbackClient client) throws IOException {
        long endNanos = System.nanoTime() + options.warmUp().toNanos();
        Compilation compilation = new Compilation(System.nanoTime());
        try {
            while (!stopped
                    && System.nanoTime() < endNanos
                    && !node.hasServed()
                    && !compilation.hasSettled(System.nanoTime())) {
                client.round();
            }
            return "";
        } catch (SocketTimeoutException _) {
            return ", then an answer came late: the processors have other work";
        }
    }

    /// Options that affect the compiled code stay as they are. Where the node has tokens, one token gives access.
    private NodeOptions ownOptions(Path folder, String secret) throws IOException {
        AccessOptions access = AccessOptions.none();
        if (options.access().authenticates()) {
            Path tokens = folder.resolve("tokens");
            Files.writeString(tokens, TokenFile.line("warm-up", EnumSet.of(Scope.READ, Scope.WRITE), secret, 0) + "\n");
            access = access.with(a -> a.tokens = tokens);
        }
        AccessOptions who = access;
        return options.with(o -> {
            o.host = NodeOptions.DEFAULT_HOST;
            o.port = 0;
            o.warmUp = Duration.ZERO;
            o.access = who;
            o.livePage = LivePageKind.OFF;
            o.slowPage = false;
            o.readOnly = false;
            o.safepoints = false;
            o.respPort = NodeOptions.NO_PORT;
            o.accessLog = null;
            o.slowFeed = null;
            o.drainTimeout = Duration.ZERO; // late answers have no reader
            // A lack of descriptors was reported when the node itself started.
            o.limits = o.limits.with(l -> l.maxConnections = LoopbackClient.CONNECTIONS);
        });
    }

    /// Ends it, if it has not ended, and waits for that.
    @Override
    public void close() {
        stopped = true;
        try {
            if (!thread.join(PATIENCE)) {
                thread.interrupt(); // it waits for an answer that does not come
                thread.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// An engine for a while: when it is closed, nothing is left of it.
    public interface Scratch extends AutoCloseable {

        /// Makes one.
        @FunctionalInterface
        interface Opener {
            Scratch open() throws IOException;
        }

        Engine engine();

        /// The directory of the engine, deleted with it. It holds only the engine's files, and no other user can read
        /// it.
        Path folder();

        @Override
        void close() throws IOException;
    }

    /// A check whether the JVM's compilers still have much to do. For one thread.
    ///
    /// Measured by the time that they took in a window, over all threads: the queue itself cannot be read.
    static final class Compilation {

        /// They compile now and then for as long as a process lives.
        private static final double SETTLED_SHARE = 0.05;

        private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

        // Constant.
        private final LongSupplier compiledMillis;

        private long windowBegan;
        private long millisBefore;
        private boolean settled;

        Compilation(long nowNanos) {
            this(ofThisJvm(), nowNanos);
        }

        /// @param compiledMillis time that compilers have taken so far
        Compilation(LongSupplier compiledMillis, long nowNanos) {
            this.compiledMillis = compiledMillis;
            this.windowBegan = nowNanos;
            this.millisBefore = compiledMillis.getAsLong();
        }

        /// A JVM that does not tell never settles.
        private static LongSupplier ofThisJvm() {
            CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
            return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                    ? System::currentTimeMillis
                    : compilers::getTotalCompilationTime;
        }

        /// Whether they were idle for most of the last complete window.
        boolean hasSettled(long nowNanos) {
            long passed = nowNanos - windowBegan;
            if (passed >= WINDOW_NANOS) {
                long millis = compiledMillis.getAsLong();
                long busy = TimeUnit.MILLISECONDS.toNanos(millis - millisBefore);
                settled = busy < SETTLED_SHARE * passed;
                windowBegan = nowNanos;
                millisBefore = millis;
            }
            return settled;
        }
    }
}
