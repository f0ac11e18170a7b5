package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Engine;
import kvant.server.ExecutorKind;
import kvant.server.NodeHarness;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.ClientMemory;
import kvant.server.admit.MemoryBudget;
import kvant.server.execute.PoolOptions;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Route;
import kvant.server.http.contract.ServedHosts;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.server.resp.Commands;
import kvant.server.resp.RespFigures;
import kvant.server.resp.ScriptLimits;
import kvant.server.service.CompletionQueue;
import kvant.server.service.RequestHandler;
import kvant.server.service.ServiceOptions;

/// One connection without a socket, on the thread of the test, to a synchronous handler with a clock that
/// stands.
final class EmbeddedNode implements AutoCloseable {

    final EmbeddedChannel channel = new EmbeddedChannel();
    final MemoryBudget budget;
    final CompletionQueue mailbox;
    private final RequestHandler handler;

    EmbeddedNode(Engine engine) {
        this(engine, HttpLimits.defaults());
    }

    EmbeddedNode(Engine engine, HttpLimits limits) {
        this(engine, limits, new AccessControl(null, false, new AuditLog()));
    }

    /// One whose client speaks RESP.
    static EmbeddedNode ofResp(Engine engine, HttpLimits limits) {
        return new EmbeddedNode(engine, limits, new AccessControl(null, false, new AuditLog()), true);
    }

    EmbeddedNode(Engine engine, HttpLimits limits, AccessControl access) {
        this(engine, limits, access, false);
    }

    private EmbeddedNode(Engine engine, HttpLimits limits, AccessControl access, boolean resp) {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        ServiceOptions options = new ServiceOptions(
                limits.scanRoundBytes(), 1000, PoolOptions.classic(1), null, AdmissionOptions.none());
        ClientMemory memory = new ClientMemory(
                limits.maxUnreadBytes(), limits.maxBufferedBodyBytes(), limits.maxAnswerBytes(), limits.maxTlsBytes());
        handler = new RequestHandler(engine, clock, options, memory.answers(), ExecutorKind.SYNC::open);
        budget = memory.bodies();
        Map<Route, PageSource> pages = new EnumMap<>(Route.class);
        List.of(Route.METRICS, Route.SLOW, Route.UI_SLOW, Route.UI_HISTORY)
                .forEach(route -> pages.put(route, EmbeddedNode::page));
        List.of(Route.UI, Route.STATUS, Route.OPEN_API).forEach(route -> pages.put(route, readyPage()));
        Exposure exposure = new Exposure(
                ServedHosts.named(NodeHarness.HOSTS),
                Route.all(false),
                false,
                new HiddenPaths(List.of()),
                CorsOrigins.NONE,
                access,
                null);
        LoopContext loop = new LoopContext(channel.eventLoop(), handler, limits, memory, clock, pages, exposure, 1000);
        mailbox = loop.mailbox;
        RespDialect dialect = resp
                ? new RespDialect(
                        loop,
                        new Commands(
                                clock,
                                exposure.paths(),
                                "1",
                                "memory",
                                new RespFigures(),
                                limits,
                                handler.marks(),
                                ScriptLimits.DEFAULT,
                                Runnable::run))
                : null;
        new OpenConnections(channel.eventLoop(), loop, new FailureLog(), null).open(channel, dialect);
    }

    /// A page that is there at once, as those that many ask for are.
    private static PageSource readyPage() {
        return new PageSource() {
            @Override
            public Outcome.Page ready() {
                return EmbeddedNode.page("");
            }

            @Override
            public Outcome.Page page(String accept) {
                return EmbeddedNode.page(accept);
            }
        };
    }

    private static Outcome.Page page(String accept) {
        return new Outcome.Page("text/plain", new byte[0]);
    }

    /// Sends bytes as one read of their own; bytes after the close are dropped, as a kernel would.
    void send(byte[] bytes, int from, int to) {
        if (channel.isOpen()) {
            ByteBuf in = channel.alloc().directBuffer(Math.max(1, to - from));
            in.writeBytes(bytes, from, to - from);
            channel.writeInbound(in);
            channel.runPendingTasks();
        }
    }

    /// Everything answered so far, and whether the connection is still open.
    String answers() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            text.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return text + (channel.isOpen() ? "(open)" : "(closed)");
    }

    static Duration forever() {
        return Duration.ofDays(1);
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
        handler.close();
    }
}
