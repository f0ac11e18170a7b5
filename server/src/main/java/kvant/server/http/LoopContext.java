package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.server.access.AccessControl;
import kvant.server.accesslog.AccessLog;
import kvant.server.accesslog.AccessLog.AccessQueue;
import kvant.server.admit.ClientMemory;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.answer.HeadScratch;
import kvant.server.http.answer.ResponseWriter;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.HttpLimits.DirectMemory;
import kvant.server.http.contract.Route;
import kvant.server.http.parse.RequestReader;
import kvant.server.http.parse.RequestSink;
import kvant.server.http.parse.TargetParser;
import kvant.server.request.PageSource;
import kvant.server.service.CompletionQueue;
import kvant.server.service.CompletionQueue.Member;
import kvant.server.service.CompletionQueue.Turns;
import kvant.server.service.RequestFigures;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// The shared state of the connections of one event loop: handler and mailbox, budgets, clock and turns, and parser
/// and writer, which serve one of them at a time. Owned by that loop; knows no connection.
final class LoopContext {

    /// Unsent bytes of one loop before its connections are kept short: direct memory is
    /// bounded as the heap is.
    private static final long UNSENT_BYTES = Math.min(Runtime.getRuntime().maxMemory(), DirectMemory.maxBytes())
            / 8
            / Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int LEAST_UNSENT_BYTES = 4 << 10;
    private static final int READS_BEFORE_TASKS = 64;

    // Constant.
    final RequestHandler handler;
    final HttpLimits limits;
    /// Memory held for clients, by all loops together.
    final ClientMemory memory;
    final CompletionQueue mailbox;
    final RequestFigures figures;
    /// The permissions, shared by all loops.
    final AccessControl access;
    final @Nullable AccessQueue accessLog;
    private final EventExecutor executor;
    private final Map<Route, PageSource> pages;
    private final int maxInFlight;

    // Owned by the loop.
    final LoopClock clock;
    private final Turns later = new Turns();
    private final HiddenPaths paths;
    private final HeadScratch scratch;
    private final TargetParser target;
    int connections;
    boolean draining; // each connection closes with its next answer, or soon where no answer is due
    private int inFlight;
    private int reads;

    LoopContext(
            EventExecutor executor,
            RequestHandler handler,
            HttpLimits limits,
            ClientMemory memory,
            InstantSource wallClock,
            Map<Route, PageSource> pages,
            Exposure exposure,
            int maxInFlight) {
        this.executor = executor;
        this.handler = handler;
        this.limits = limits;
        this.memory = memory;
        this.access = exposure.access();
        AccessLog log = exposure.log();
        this.accessLog = log == null ? null : log.queue();
        this.maxInFlight = maxInFlight;
        this.pages = pages;
        this.mailbox = handler.mailbox(executor);
        this.figures = handler.figures();
        this.target = new TargetParser(limits.maxKeyBytes(), handler::replicas, exposure);
        this.clock = new LoopClock(limits);
        this.scratch = new HeadScratch(wallClock);
        this.paths = exposure.paths();
    }

    /// Gives a turn behind all other work of the loop, once it has checked its sockets again: a task that an event
    /// loop gives itself would come before them. Immediate turns come from the mailbox.
    void later(Member member) {
        if (later.isEmpty()) {
            executor.schedule(later::give, 1, TimeUnit.NANOSECONDS);
        }
        later.add(member);
    }

    /// After the reads of a connection: finished work and due turns do not wait until no socket has more, as tasks do.
    void readCompleted() {
        if (++reads >= READS_BEFORE_TASKS) {
            reads = 0;
            mailbox.run();
            later.give();
        }
    }

    /// A reader for the bytes of one connection.
    RequestReader reader(RequestSink sink, MemoryReservation unread, MemoryReservation body) {
        return new RequestReader(sink, limits, target, pages, unread, body);
    }

    /// A writer for the answers of one connection.
    ResponseWriter writer(Channel channel) {
        return new ResponseWriter(channel, scratch, paths);
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

    /// The bound on a connection's unsent bytes: the loop's share, divided by its connections, within limits. A power
    /// of two, so that it seldom changes.
    int writeHighWaterBytes() {
        int most = limits.writeHighWaterBytes();
        long share = Long.highestOneBit(Math.max(1, UNSENT_BYTES / Math.max(1, connections)));
        return Math.clamp(share, Math.min(LEAST_UNSENT_BYTES, most), most);
    }
}
