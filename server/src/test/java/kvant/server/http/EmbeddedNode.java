package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import kvant.engine.Engine;
import kvant.server.service.AdmissionOptions;
import kvant.server.service.MemoryBudget;
import kvant.server.service.Outcome;
import kvant.server.service.PoolOptions;
import kvant.server.service.Service;
import kvant.server.service.ServiceOptions;

/// One connection without a socket, on the thread of the test, to a synchronous service with a clock that
/// stands.
final class EmbeddedNode implements AutoCloseable {

    final EmbeddedChannel channel = new EmbeddedChannel();
    final MemoryBudget budget;
    private final Service service;

    EmbeddedNode(Engine engine) {
        this(engine, HttpLimits.defaults());
    }

    EmbeddedNode(Engine engine, HttpLimits limits) {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        ServiceOptions options = new ServiceOptions(
                limits.scanRoundBytes(), 1000, PoolOptions.classic(1), null, AdmissionOptions.none());
        service = Service.sync(engine, clock, options, new MemoryBudget(limits.maxAnswerBytes()));
        budget = new MemoryBudget(limits.maxBufferedBodyBytes());
        NodePages pages = new NodePages(EmbeddedNode::page, EmbeddedNode::page);
        LoopContext loop = new LoopContext(channel.eventLoop(), service, limits, budget, clock, pages, 1000);
        channel.pipeline().addLast(new Connection(channel, loop));
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
        service.close();
    }
}
