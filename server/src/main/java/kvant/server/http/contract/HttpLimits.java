package kvant.server.http.contract;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Drafts;

/// The bounds of the HTTP side, with their defaults.
///
///     HttpLimits.defaults().with(l -> l.maxConnections = 100)
///
/// @param maxConnections open connections; the default is bounded by direct memory: each slow reader makes the node
///     hold a least amount of it. Beyond the bound the connection that has waited for its client the longest is
///     closed
/// @param maxConnectionsPerAddress open connections of one client address, 0 for no such bound; more are closed
/// @param maxInFlight requests between their last byte read and their last byte written, all connections together;
///     more are answered 503
/// @param maxPipelined unanswered requests of one connection; beyond it the node stops reading from it
/// @param maxWaitingReads reads of one connection that wait for a worker or run on one; beyond it the node stops
///     reading from it, so that a pipelining client does not fill the queue shared with other clients
/// @param turnRequests requests of one connection before the other connections of its loop get their turn
/// @param turnBytes input of one connection before the others get their turn
/// @param turnLines header lines, trailers and chunks of one connection before the others get their turn: tiny ones
///     cost more than their bytes
/// @param maxRequestLineBytes longest request line; the default fits two keys of 64 KiB, percent-encoded
/// @param maxHeaderBytes all header lines of a request together, and all trailers and chunk extensions
/// @param maxHeaders header lines of a request
/// @param maxKeyBytes longest decoded key
/// @param maxBodyBytes longest request body; the default is no more than an eighth of the heap
/// @param maxUnreadBytes input that cannot be processed yet, such as parts of heads, all connections together
/// @param maxBufferedBodyBytes request bodies in memory, all connections together; more are answered 503. One body
///     always fits, regardless of its length
/// @param maxAnswerBytes values on their way to clients, all connections together; more are answered 503, and a range
///     that meets the bound in its middle breaks off. One value always fits
/// @param maxTlsBytes memory for the TLS state of all connections together; more connections are closed at once
/// @param scanRoundBytes about how much a range read takes from the engine at a time
/// @param writeHighWaterBytes unsent response bytes of a connection beyond which nothing more is produced for it
/// @param kernelUnsentBytes response bytes of a connection that the kernel accepts before it sends them: bytes in
///     that buffer look as if the client had taken them
/// @param headTimeout longest time from the first byte of a request to the end of its headers
/// @param stallTimeout longest time without progress in a request body, or in taking a response
/// @param bodyTimeout longest time from the head of a request to the end of its body
/// @param answerTimeout sets the lowest rate of taking answers: at that rate a client takes all bytes that its
///     answers hold within this time. The rate is checked over each stall timeout
/// @param minBodyBytesPerSecond lowest rate of a body, checked over each stall timeout
/// @param bodyFillTimeout time in which a body at the lowest rate fills the memory that it holds. The lowest rate is
///     the sum of both, so that a large body has to arrive faster than a small one
/// @param idleTimeout lifetime of a connection without a request
/// @param lingerTimeout longest time for which the node still reads a connection that it wants to close, so that the
///     client gets the last answer; lingering also ends with the client's own close
/// @param lingerBytes most bytes read and discarded meanwhile
public record HttpLimits(
        int maxConnections,
        int maxConnectionsPerAddress,
        int maxInFlight,
        int maxPipelined,
        int maxWaitingReads,
        int turnRequests,
        int turnBytes,
        int turnLines,
        int maxRequestLineBytes,
        int maxHeaderBytes,
        int maxHeaders,
        int maxKeyBytes,
        int maxBodyBytes,
        long maxUnreadBytes,
        long maxBufferedBodyBytes,
        long maxAnswerBytes,
        long maxTlsBytes,
        int scanRoundBytes,
        int writeHighWaterBytes,
        int kernelUnsentBytes,
        Duration headTimeout,
        Duration stallTimeout,
        Duration bodyTimeout,
        Duration answerTimeout,
        int minBodyBytesPerSecond,
        Duration bodyFillTimeout,
        Duration idleTimeout,
        Duration lingerTimeout,
        long lingerBytes) {

    /// The share of direct memory that unread input may take.
    private static final int DIRECT_SHARE_FOR_UNREAD = 12;

    /// A piece of an answer, and what may be unsent before it.
    private static final int LEAST_CONNECTION_BYTES = 20 << 10;

    /// The share of the heap that request bodies may take; the engine needs room for them a second time.
    private static final int HEAP_SHARE_FOR_BODIES = 4;

    /// The share of the heap that values on their way out may take; each open range also
    /// holds blocks of the engine.
    private static final int HEAP_SHARE_FOR_ANSWERS = 8;

    /// The share of the heap that securing connections may take.
    private static final int HEAP_SHARE_FOR_TLS = 4;

    /// The share of the heap that one body may take: several values wait in memtables at the same time.
    private static final int HEAP_SHARE_FOR_ONE_BODY = 8;

    public HttpLimits {
        atLeast(1, maxConnections, "connections");
        atLeast(0, maxConnectionsPerAddress, "connections of an address");
        atLeast(1, maxInFlight, "requests in flight");
        atLeast(1, maxPipelined, "pipelined requests");
        atLeast(1, maxWaitingReads, "waiting reads");
        atLeast(1, turnRequests, "requests of a turn");
        atLeast(0, minBodyBytesPerSecond, "bytes per second of a body");
        atLeast(1, turnBytes, "bytes of a turn");
        atLeast(1, turnLines, "lines of a turn");
        positive(bodyTimeout, "body timeout");
        positive(answerTimeout, "answer timeout");
        atLeast(64, maxRequestLineBytes, "bytes of a request line");
        atLeast(64, maxHeaderBytes, "bytes of headers");
        atLeast(1, maxHeaders, "headers");
        atLeast(1, maxKeyBytes, "bytes of a key");
        atLeast(0, maxBodyBytes, "bytes of a body");
        atLeast(0, maxUnreadBytes, "bytes of unread input");
        atLeast(0, maxBufferedBodyBytes, "bytes of buffered bodies");
        atLeast(0, maxAnswerBytes, "bytes of answers");
        atLeast(1, scanRoundBytes, "bytes of a scan round");
        atLeast(1024, writeHighWaterBytes, "unsent bytes");
        atLeast(1024, kernelUnsentBytes, "unsent bytes in the kernel");
        positive(headTimeout, "head timeout");
        positive(stallTimeout, "stall timeout");
        positive(bodyFillTimeout, "time to fill a body");
        positive(idleTimeout, "idle timeout");
        positive(lingerTimeout, "linger timeout");
        atLeast(0, lingerBytes, "bytes while lingering");
    }

    public static HttpLimits defaults() {
        return Drafts.made(HttpLimits.class, new Draft());
    }

    /// These limits with some changed.
    public HttpLimits with(Consumer<Draft> change) {
        return Drafts.changed(HttpLimits.class, this, new Draft(), change);
    }

    private static void atLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException("the limit on " + name + " is at least " + least + ", not " + value);
        }
    }

    private static void positive(Duration value, String name) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("the " + name + " is longer than nothing, not " + value);
        }
    }

    /// Limits in the making; begins with the defaults.
    public static final class Draft {

        private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();
        private static final long DIRECT_BYTES = Math.min(HEAP_BYTES, DirectMemory.maxBytes());

        public int maxConnections = (int) Math.min(19_000, Math.max(1, DIRECT_BYTES / LEAST_CONNECTION_BYTES));
        public int maxConnectionsPerAddress = 0;
        public int maxInFlight = 32_768;
        public int maxPipelined = 64;
        public int maxWaitingReads = 16;
        public int turnRequests = 32;
        public int turnBytes = 256 << 10;
        public int turnLines = 512;
        public int maxKeyBytes = 64 << 10;
        public int maxRequestLineBytes = 2 * 3 * maxKeyBytes + (8 << 10);
        public int maxHeaderBytes = 32 << 10;
        public int maxHeaders = 100;
        public int maxBodyBytes = (int) Math.min(64 << 20, HEAP_BYTES / HEAP_SHARE_FOR_ONE_BODY);
        public long maxUnreadBytes = DIRECT_BYTES / DIRECT_SHARE_FOR_UNREAD;
        public long maxBufferedBodyBytes = HEAP_BYTES / HEAP_SHARE_FOR_BODIES;
        public long maxAnswerBytes = HEAP_BYTES / HEAP_SHARE_FOR_ANSWERS;
        public long maxTlsBytes = HEAP_BYTES / HEAP_SHARE_FOR_TLS;
        /// Together with its last record still a small claim, unless the records are long.
        public int scanRoundBytes = 60 << 10;

        public int writeHighWaterBytes = 128 << 10;
        public int kernelUnsentBytes = 256 << 10;
        public Duration headTimeout = Duration.ofSeconds(10);
        public Duration stallTimeout = Duration.ofSeconds(30);
        public Duration bodyTimeout = Duration.ofMinutes(10);
        public Duration answerTimeout = Duration.ofMinutes(10);
        public int minBodyBytesPerSecond = 16 << 10;
        public Duration bodyFillTimeout = Duration.ofMinutes(2);
        public Duration idleTimeout = Duration.ofMinutes(5);
        public Duration lingerTimeout = Duration.ofSeconds(5);
        public long lingerBytes = 512L << 20;

        private Draft() {}
    }

    /// The memory outside of the heap that buffers may take.
    ///
    /// The JVM bounds it (`-XX:MaxDirectMemorySize`, the size of the heap unless it is given). Beyond the JVM's
    /// bound an allocation waits half a second for a garbage collection, even on an event loop. The bound of
    /// Netty fails at once. So Netty gets a lower bound, and the difference is left for file reads and writes.
    public static final class DirectMemory {

        private static final String NETTY_LIMIT = "io.netty.maxDirectMemory";

        /// The divisor of the share that Netty does not get.
        private static final int SHARE_OF_OTHERS = 4;

        private static final long JVM_BYTES = jvmBytes();

        private DirectMemory() {}

        /// The bound for Netty.
        public static long maxBytes() {
            return JVM_BYTES - JVM_BYTES / SHARE_OF_OTHERS;
        }

        /// Bounds Netty; to be called before anything of Netty is used, and without effect where the command
        /// line of the JVM says something else.
        public static void bound() {
            if (System.getProperty(NETTY_LIMIT) == null) {
                System.setProperty(NETTY_LIMIT, Long.toString(maxBytes()));
            }
        }

        private static long jvmBytes() {
            HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            long given = jvm == null
                    ? 0
                    : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
            return given > 0 ? given : Runtime.getRuntime().maxMemory();
        }
    }
}
