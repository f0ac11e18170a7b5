package kvant.server.http;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.util.ArrayDeque;
import kvant.server.service.Outcome;
import kvant.server.service.StageClock;
import org.jspecify.annotations.Nullable;

/// The requests of one connection that have not been answered, in order, and the way of their answers into the
/// channel.
///
/// Owned by the connection's event loop.
final class Answers {

    // Constant.
    private final Connection connection;
    private final LoopContext loop;
    private final Channel channel;
    private final ResponseWriter writer;
    private final ArrayDeque<Exchange> unanswered = new ArrayDeque<>(4);

    // Owned by the event loop.
    private @Nullable Exchange finished;
    private boolean lastWritten;
    private boolean cutOff;
    private long ticks;
    private int highWaterBytes;

    Answers(Connection connection, Channel channel, LoopContext loop) {
        this.connection = connection;
        this.loop = loop;
        this.channel = channel;
        this.writer = new ResponseWriter(channel, loop);
        this.ticks = loop.ticks();
    }

    void add(Exchange exchange) {
        unanswered.add(exchange);
    }

    int count() {
        return unanswered.size();
    }

    boolean isEmpty() {
        return unanswered.isEmpty();
    }

    /// The next to be answered, or null.
    @Nullable
    Exchange next() {
        return unanswered.peek();
    }

    /// Whether the client of the newest request waits to be told to send its body.
    boolean isContinueDue() {
        Exchange newest = unanswered.peekLast();
        return newest != null && newest.continues();
    }

    /// Whether the connection ends with what has been written.
    boolean isLastWritten() {
        return lastWritten;
    }

    /// Whether that broke off in a way that its framing cannot tell.
    boolean isCutOff() {
        return cutOff;
    }

    /// When something was last written, or the client last took something.
    long ticks() {
        return ticks;
    }

    void moved() {
        ticks = loop.ticks();
    }

    /// @return whether an answer was finished, so that there is room for another request
    boolean writeReady() {
        boolean any = false;
        while (!unanswered.isEmpty() && !lastWritten && writer.hasRoom()) {
            Exchange exchange = unanswered.getFirst();
            if (exchange.continues()) {
                writer.writeContinue();
                exchange.continues(false);
            }
            if (!exchange.isReady()) {
                break;
            }
            if (!writer.inMiddle() && unanswered.size() == 1 && connection.drainsAfter(exchange)) {
                exchange.close();
            }
            moved();
            limitUnsent();
            if (!writer.write(exchange)) {
                break;
            }
            if (exchange.outcome() instanceof Outcome.Records records
                    && !records.batch().last()) {
                exchange.nextRound();
                loop.service().resume(exchange);
                continue;
            }
            finish(exchange);
            any = true;
        }
        return any;
    }

    /// Has everything sent that was written.
    void flush() {
        writer.flush();
        Exchange exchange = finished;
        if (exchange == null) {
            return;
        }
        finished = null;
        long nowNanos = StageClock.RUNS ? System.nanoTime() : 0;
        while (exchange != null) {
            exchange.countWritten(loop.figures(), nowNanos);
            exchange = exchange.nextFinished();
        }
    }

    /// Nothing more will be answered.
    void letGo() {
        for (Exchange exchange = unanswered.poll(); exchange != null; exchange = unanswered.poll()) {
            if (exchange.submitted()) {
                loop.service().abandon(exchange);
            }
        }
    }

    /// The channel is closed.
    void release() {
        writer.release();
    }

    private void finish(Exchange exchange) {
        unanswered.removeFirst();
        if (exchange.submitted()) {
            exchange.answered();
            loop.leave();
        }
        exchange.nextFinished(finished);
        finished = exchange;
        lastWritten = exchange.closes();
        cutOff = exchange.cutOff();
    }

    /// The more connections, the less each may have unsent.
    private void limitUnsent() {
        int high = loop.writeHighWaterBytes();
        if (high != highWaterBytes) {
            highWaterBytes = high;
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        }
    }
}
