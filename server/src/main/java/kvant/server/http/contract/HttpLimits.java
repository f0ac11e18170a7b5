package kvant.server.http.contract;

import java.time.Duration;
import java.util.function.Consumer;

/// Every bound of the HTTP side, with its default.
///
///     HttpLimits.defaults().with(l -> l.maxConnections = 100)
///
/// @param maxConnections open connections; beyond it the node stops accepting until one closes
/// @param maxInFlight requests between their last byte read and their last byte written, all connections
///     together; more are answered 503
/// @param maxPipelined unanswered requests of one connection; beyond it the node stops reading from it
/// @param maxWaitingReads reads of one connection that wait for a worker or run on one; beyond it the node
///     stops reading from it, so that a client that pipelines does not fill the queue that others share
/// @param turnRequests requests of one connection before the other connections of its loop get their turn
/// @param maxRequestLineBytes longest request line; the default fits two keys of 64 KiB, percent-encoded
/// @param maxHeaderBytes all header lines of a request together, and all trailers and chunk extensions
/// @param maxHeaders header lines of a request
/// @param maxKeyBytes longest decoded key
/// @param maxBodyBytes longest request body; the default is no more than an eighth of the heap
/// @param maxUnreadBytes input that cannot be read on yet, such as parts of heads, all connections together
/// @param maxBufferedBodyBytes request bodies in memory, all connections together; more are answered 503.
///     One body always fits, however long
/// @param maxAnswerBytes values on their way to clients, all connections together; more are answered 503,
///     and a range that meets the bound in its middle breaks off. One value always fits
/// @param scanRoundBytes about how much a range read takes from the engine at a time
/// @param writeHighWaterBytes unsent response bytes of a connection beyond which nothing more is produced
///     for it
/// @param headTimeout longest time from the first byte of a request to the end of its headers
/// @param stallTimeout longest time without progress in a request body, or in taking a response
/// @param bodyTimeout longest time from the head of a request to the end of its body
/// @param minBodyBytesPerSecond lowest rate of a body, looked at over each stall timeout
/// @param bodyFillTimeout in which time a body at the lowest rate would fill the memory that it holds: the lowest rate
///     is the sum of both, so that a large body has to come faster than a small one
/// @param idleTimeout how long a connection without a request is kept
/// @param lingerTimeout how long a connection that the node wants to close is read on, so that the client
///     gets the last answer; lingering also ends with the client's own close
/// @param lingerBytes how much is read and thrown away meanwhile
public record HttpLimits(
        int maxConnections,
        int maxInFlight,
        int maxPipelined,
        int maxWaitingReads,
        int turnRequests,
        int maxRequestLineBytes,
        int maxHeaderBytes,
        int maxHeaders,
        int maxKeyBytes,
        int maxBodyBytes,
        long maxUnreadBytes,
        long maxBufferedBodyBytes,
        long maxAnswerBytes,
        int scanRoundBytes,
        int writeHighWaterBytes,
        Duration headTimeout,
        Duration stallTimeout,
        Duration bodyTimeout,
        int minBodyBytesPerSecond,
        Duration bodyFillTimeout,
        Duration idleTimeout,
        Duration lingerTimeout,
        long lingerBytes) {

    /// The share of the heap that unread input may take: as much direct memory.
    private static final int HEAP_SHARE_FOR_UNREAD = 16;

    /// The share of the heap that request bodies may take; the engine needs room for them a second time.
    private static final int HEAP_SHARE_FOR_BODIES = 4;

    /// The share of the heap that values on their way out may take; each open range also
    /// holds blocks of the engine.
    private static final int HEAP_SHARE_FOR_ANSWERS = 8;

    /// The share of the heap that one body may take: several values wait in memtables at the same time.
    private static final int HEAP_SHARE_FOR_ONE_BODY = 8;

    public HttpLimits {
        atLeast(1, maxConnections, "connections");
        atLeast(1, maxInFlight, "requests in flight");
        atLeast(1, maxPipelined, "pipelined requests");
        atLeast(1, maxWaitingReads, "waiting reads");
        atLeast(1, turnRequests, "requests of a turn");
        atLeast(0, minBodyBytesPerSecond, "bytes per second of a body");
        positive(bodyTimeout, "body timeout");
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
        positive(headTimeout, "head timeout");
        positive(stallTimeout, "stall timeout");
        positive(bodyFillTimeout, "time to fill a body");
        positive(idleTimeout, "idle timeout");
        positive(lingerTimeout, "linger timeout");
        atLeast(0, lingerBytes, "bytes while lingering");
    }

    public static HttpLimits defaults() {
        return new Draft().limits();
    }

    /// These limits with some changed.
    public HttpLimits with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.limits();
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

        public int maxConnections = 19_000;
        public int maxInFlight = 32_768;
        public int maxPipelined = 64;
        public int maxWaitingReads = 16;
        public int turnRequests = 32;
        public int maxKeyBytes = 64 << 10;
        public int maxRequestLineBytes = 2 * 3 * maxKeyBytes + (8 << 10);
        public int maxHeaderBytes = 32 << 10;
        public int maxHeaders = 100;
        public int maxBodyBytes = (int) Math.min(64 << 20, HEAP_BYTES / HEAP_SHARE_FOR_ONE_BODY);
        public long maxUnreadBytes = HEAP_BYTES / HEAP_SHARE_FOR_UNREAD;
        public long maxBufferedBodyBytes = HEAP_BYTES / HEAP_SHARE_FOR_BODIES;
        public long maxAnswerBytes = HEAP_BYTES / HEAP_SHARE_FOR_ANSWERS;
        public int scanRoundBytes = 64 << 10;
        public int writeHighWaterBytes = 128 << 10;
        public Duration headTimeout = Duration.ofSeconds(10);
        public Duration stallTimeout = Duration.ofSeconds(30);
        public Duration bodyTimeout = Duration.ofMinutes(10);
        public int minBodyBytesPerSecond = 16 << 10;
        public Duration bodyFillTimeout = Duration.ofMinutes(2);
        public Duration idleTimeout = Duration.ofMinutes(5);
        public Duration lingerTimeout = Duration.ofSeconds(5);
        public long lingerBytes = 512L << 20;

        private Draft() {}

        private Draft(HttpLimits limits) {
            maxConnections = limits.maxConnections;
            maxInFlight = limits.maxInFlight;
            maxPipelined = limits.maxPipelined;
            maxWaitingReads = limits.maxWaitingReads;
            turnRequests = limits.turnRequests;
            maxRequestLineBytes = limits.maxRequestLineBytes;
            maxHeaderBytes = limits.maxHeaderBytes;
            maxHeaders = limits.maxHeaders;
            maxKeyBytes = limits.maxKeyBytes;
            maxBodyBytes = limits.maxBodyBytes;
            maxUnreadBytes = limits.maxUnreadBytes;
            maxBufferedBodyBytes = limits.maxBufferedBodyBytes;
            maxAnswerBytes = limits.maxAnswerBytes;
            scanRoundBytes = limits.scanRoundBytes;
            writeHighWaterBytes = limits.writeHighWaterBytes;
            headTimeout = limits.headTimeout;
            stallTimeout = limits.stallTimeout;
            bodyTimeout = limits.bodyTimeout;
            minBodyBytesPerSecond = limits.minBodyBytesPerSecond;
            bodyFillTimeout = limits.bodyFillTimeout;
            idleTimeout = limits.idleTimeout;
            lingerTimeout = limits.lingerTimeout;
            lingerBytes = limits.lingerBytes;
        }

        private HttpLimits limits() {
            return new HttpLimits(
                    maxConnections,
                    maxInFlight,
                    maxPipelined,
                    maxWaitingReads,
                    turnRequests,
                    maxRequestLineBytes,
                    maxHeaderBytes,
                    maxHeaders,
                    maxKeyBytes,
                    maxBodyBytes,
                    maxUnreadBytes,
                    maxBufferedBodyBytes,
                    maxAnswerBytes,
                    scanRoundBytes,
                    writeHighWaterBytes,
                    headTimeout,
                    stallTimeout,
                    bodyTimeout,
                    minBodyBytesPerSecond,
                    bodyFillTimeout,
                    idleTimeout,
                    lingerTimeout,
                    lingerBytes);
        }
    }
}
