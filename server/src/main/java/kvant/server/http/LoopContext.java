package kvant.server.http;

import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import kvant.server.service.LoopMailbox;
import kvant.server.service.MemoryBudget;
import kvant.server.service.RequestFigures;
import kvant.server.service.Service;

/// What the connections of one event loop share: mailbox, date, clock, and the list of those that have
/// something to write. Owned by that loop.
final class LoopContext {

    /// How often deadlines are looked at, unless one of them is shorter than that.
    private static final Duration TICK = Duration.ofMillis(500);

    private static final int TICKS_PER_SHORTEST_TIMEOUT = 4;
    /// Unsent bytes of one loop before its connections are kept short: direct memory is
    /// bounded as the heap is.
    private static final long UNSENT_BYTES = Runtime.getRuntime().maxMemory()
            / 8
            / Math.max(2, Runtime.getRuntime().availableProcessors());

    /// Of their own, so that slow heads do not keep bodies out.
    private static final int BODY_BYTES_PER_HEAD_BYTE = 8;

    private static final int LEAST_UNSENT_BYTES = 4 << 10;
    private static final long MILLIS_PER_SECOND = 1000;

    /// `IMF-fixdate` of RFC 9110, section 5.6.7.
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    // Constant.
    private final EventExecutor executor;
    private final Service service;
    private final HttpLimits limits;
    private final MemoryBudget budget;
    private final MemoryBudget heads;
    private final InstantSource clock;
    private final LoopMailbox mailbox;
    private final RequestFigures figures;
    private final NodePages pages;
    private final int maxInFlight;
    private final long tickNanos;

    // Owned by the loop.
    private final HeadScratch scratch = new HeadScratch();
    private final TargetParser target;
    private final Set<Connection> connections = new HashSet<>();
    private List<Connection> yielded = new ArrayList<>();
    private List<Connection> yieldedBefore = new ArrayList<>();
    private List<Connection> touched = new ArrayList<>();
    private List<Connection> touchedBefore = new ArrayList<>();
    private boolean flushDue;
    private boolean draining;
    private int inFlight;
    private long ticks;
    private long dateSecond = Long.MIN_VALUE;
    private byte[] dateLines = {};

    /// @param maxInFlight this loop's share
    LoopContext(
            EventExecutor executor,
            Service service,
            HttpLimits limits,
            MemoryBudget budget,
            InstantSource clock,
            NodePages pages,
            int maxInFlight) {
        this.executor = executor;
        this.service = service;
        this.limits = limits;
        this.budget = budget;
        this.heads = new MemoryBudget(limits.maxBufferedBodyBytes() / BODY_BYTES_PER_HEAD_BYTE);
        this.clock = clock;
        this.maxInFlight = maxInFlight;
        this.pages = pages;
        this.mailbox = service.mailbox(executor);
        this.figures = service.figures();
        this.target = new TargetParser(limits.maxKeyBytes(), service::replicas);
        this.tickNanos = tickNanos(limits);
        executor.scheduleWithFixedDelay(this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    Service service() {
        return service;
    }

    HttpLimits limits() {
        return limits;
    }

    MemoryBudget budget() {
        return budget;
    }

    /// Memory for long heads.
    MemoryBudget heads() {
        return heads;
    }

    LoopMailbox mailbox() {
        return mailbox;
    }

    RequestFigures figures() {
        return figures;
    }

    NodePages pages() {
        return pages;
    }

    HeadScratch scratch() {
        return scratch;
    }

    /// Holds nothing between two targets.
    TargetParser target() {
        return target;
    }

    boolean draining() {
        return draining;
    }

    void opened(Connection connection) {
        connections.add(connection);
        if (draining) {
            drainSoon(connection);
        }
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    /// @return false when this loop has as many requests in flight as it may
    boolean enter() {
        if (inFlight >= maxInFlight) {
            return false;
        }
        inFlight++;
        return true;
    }

    void leave() {
        inFlight--;
    }

    /// How much a connection may have unsent: the loop's share, divided, within bounds. A power
    /// of two, so that it seldom changes.
    int writeHighWaterBytes() {
        int most = limits.writeHighWaterBytes();
        long share = Long.highestOneBit(Math.max(1, UNSENT_BYTES / Math.max(1, connections.size())));
        return Math.clamp(share, Math.min(LEAST_UNSENT_BYTES, most), most);
    }

    /// The connection has something to do: it gets its turn once everything that is ready has been handed
    /// out, so that several answers leave in one write.
    void touch(Connection connection) {
        touched.add(connection);
        if (!flushDue) {
            flushDue = true;
            executor.execute(this::flushTouched);
        }
    }

    private void flushTouched() {
        flushDue = false;
        List<Connection> due = touched;
        touched = touchedBefore;
        touchedBefore = due;
        for (int i = 0; i < due.size(); i++) {
            due.get(i).turn();
        }
        due.clear();
    }

    /// As [#touch], but after the sockets of the loop have been looked at once more: a task that an event loop
    /// gives itself would come before them.
    void touchLater(Connection connection) {
        if (yielded.isEmpty()) {
            executor.schedule(this::flushYielded, 1, TimeUnit.NANOSECONDS);
        }
        yielded.add(connection);
    }

    private void flushYielded() {
        List<Connection> due = yielded;
        yielded = yieldedBefore;
        yieldedBefore = due;
        for (int i = 0; i < due.size(); i++) {
            due.get(i).turn();
        }
        due.clear();
    }

    /// The `Date` line with the line ends before and after it.
    byte[] dateLines() {
        long second = clock.millis() / MILLIS_PER_SECOND;
        if (second != dateSecond) {
            dateSecond = second;
            String date = HTTP_DATE.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
            dateLines = ("\r\nDate: " + date + "\r\n").getBytes(StandardCharsets.US_ASCII);
        }
        return dateLines;
    }

    /// Coarse monotonic time, for deadlines.
    long ticks() {
        return ticks;
    }

    /// Whether more than this time lies between then and now.
    boolean isOver(long thenTicks, Duration time) {
        return (ticks - thenTicks - 1) * tickNanos >= time.toNanos();
    }

    /// From now on each connection closes with its next answer, or, where it has nothing to answer, soon.
    void drain() {
        draining = true;
        for (Connection connection : connections) {
            drainSoon(connection);
        }
    }

    /// Closes what is left, answered or not.
    void abort() {
        for (Connection connection : List.copyOf(connections)) {
            connection.abort();
        }
    }

    /// Bytes that are in the socket already get two ticks to be read before an idle connection is closed.
    private void drainSoon(Connection connection) {
        executor.schedule(connection::drainIfIdle, Math.min(2 * tickNanos, TICK.toNanos() / 10), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        ticks++;
        for (Connection connection : List.copyOf(connections)) {
            connection.checkDeadlines();
        }
    }

    private static long tickNanos(HttpLimits limits) {
        long shortest = TICK.toNanos() * TICKS_PER_SHORTEST_TIMEOUT;
        for (Duration each :
                List.of(limits.headTimeout(), limits.stallTimeout(), limits.idleTimeout(), limits.lingerTimeout())) {
            shortest = Math.min(shortest, each.toNanos());
        }
        return Math.max(shortest / TICKS_PER_SHORTEST_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1));
    }
}
