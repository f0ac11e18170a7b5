package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import kvant.engine.Engine;
import kvant.server.service.MemoryBudget;
import kvant.server.service.Service;

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
        service = Service.sync(engine, clock, limits.scanRoundBytes(), new MemoryBudget(limits.maxAnswerBytes()));
        budget = new MemoryBudget(limits.maxBufferedBodyBytes());
        LoopContext loop = new LoopContext(channel.eventLoop(), service, limits, budget, clock, 1000);
        channel.pipeline().addLast(new Connection(channel, loop));
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
