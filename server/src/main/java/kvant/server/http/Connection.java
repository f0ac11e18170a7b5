package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import kvant.server.service.Outcome;
import kvant.server.service.Request;

/// One client connection: what arrives becomes requests, and their answers go back in the same order.
///
///     bytes --> [RequestReader] --> Exchange --> service ... settled --> [ResponseWriter] --> bytes
///                                      \______ unanswered, in order ______/
///
///     OPEN --last answer written--> LINGERING --client closes, or time is up--> CLOSED
///       \_________________________reset, failure______________________________/
///
/// While lingering, the output is shut and what the client still sends is thrown away: closing at once
/// would make the kernel answer it with a reset, which can overtake the last answer (RFC 9112, section
/// 9.6).
///
/// Owned by its event loop; settled calls come back through the loop's mailbox. Invariants:
/// - every exchange in `unanswered` is answered in order, or the connection is closed;
/// - nothing is read from the socket while there are as many unanswered requests as there may be;
/// - nothing more is produced for a client that does not take what it has.
final class Connection extends ChannelInboundHandlerAdapter {

    private static final Logger LOGGER = System.getLogger(Connection.class.getName());

    private enum State {
        OPEN,
        LINGERING,
        CLOSED
    }

    // Constant.
    private final LoopContext loop;
    private final HttpLimits limits;
    private final Channel channel;
    private final RequestReader reader;
    private final ResponseWriter writer;
    private final ArrayDeque<Exchange> unanswered = new ArrayDeque<>(4);

    // Owned by the event loop.
    private State state = State.OPEN;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean advancing;
    private boolean touched;
    private boolean lastWritten;
    private long lingeredBytes;
    private long lingerTicks;
    private long readTicks;
    private long writeTicks;
    private int writeHighWaterBytes;

    Connection(Channel channel, LoopContext loop) {
        this.channel = channel;
        this.loop = loop;
        this.limits = loop.limits();
        this.reader = new RequestReader(this, loop);
        this.writer = new ResponseWriter(channel, loop);
        this.readTicks = loop.ticks();
        this.writeTicks = loop.ticks();
    }

    // --- From the channel ---

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.opened(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        readTicks = loop.ticks();
        if (state == State.OPEN) {
            reader.add(ctx.alloc(), in);
            advance();
            return;
        }
        lingeredBytes += in.readableBytes();
        in.release();
        if (lingeredBytes > limits.lingerBytes()) {
            abort();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        writer.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        writeTicks = loop.ticks();
        if (ctx.channel().isWritable()) {
            touch(); // not at once: a fast reader of a long range must not keep the loop to itself
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof ChannelInputShutdownEvent)) {
            return;
        }
        inputEnded = true;
        if (state == State.LINGERING && outputEnded) {
            abort();
        } else if (state == State.OPEN) {
            reader.inputEnded();
            advance();
            writer.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failed(cause);
    }

    private void failed(Throwable cause) {
        if (!(cause instanceof IOException)) { // a reset by the client is none of our faults
            LOGGER.log(Level.ERROR, "closing a connection after an unexpected failure", cause);
        }
        abort();
    }

    // --- From the reader ---

    boolean hasRoomForRequest() {
        return unanswered.size() < limits.maxPipelined();
    }

    /// A request whose answer has its place in the order from now on.
    void begun(Exchange exchange) {
        unanswered.add(exchange);
    }

    /// A request that can be carried out.
    ///
    /// @param claimedBytes claim on the memory of its body
    void complete(Exchange exchange, Request request, long claimedBytes) {
        if (!loop.enter()) {
            loop.budget().release(claimedBytes);
            exchange.refuse(Problem.OVERLOADED);
            return;
        }
        exchange.submitted(claimedBytes);
        loop.service().submit(exchange, request);
    }

    // --- From the service and the loop ---

    /// An exchange of this connection has something to write.
    void settled(Exchange exchange) {
        loop.budget().release(exchange.takeClaim());
        if (!advancing) {
            touch();
        }
    }

    /// The service has let go of an exchange that nobody waited for any more.
    void dropped(Exchange exchange) {
        loop.budget().release(exchange.takeClaim());
        loop.leave();
    }

    /// This connection's turn, after [LoopContext#touch].
    void turn() {
        touched = false;
        try {
            if (state == State.OPEN) {
                advance();
                writer.flush();
            }
        } catch (RuntimeException | Error e) { // others wait for their turns
            failed(e);
        }
    }

    void drainIfIdle() {
        if (state == State.OPEN && unanswered.isEmpty() && reader.isBetweenRequests()) {
            startLingering();
        }
    }

    void abort() {
        channel.close();
    }

    void checkDeadlines() {
        if (state == State.LINGERING) {
            boolean over = outputEnded
                    ? loop.isOver(lingerTicks, limits.lingerTimeout())
                    : loop.isOver(writeTicks, limits.stallTimeout());
            if (over) {
                abort();
            }
        } else if (state == State.OPEN) {
            checkOpenDeadlines();
        }
    }

    private void checkOpenDeadlines() {
        Exchange next = unanswered.peek();
        if (next != null && next.isReady()) {
            if (loop.isOver(writeTicks, limits.stallTimeout())) {
                abort(); // the client does not take its answer
            }
        } else if (reader.isInBody() && loop.isOver(readTicks, limits.stallTimeout())
                || reader.isInHead() && hasRoomForRequest() && loop.isOver(reader.headTicks(), limits.headTimeout())) {
            reader.timeOut();
            touch();
        } else if (next == null && loop.isOver(Math.max(readTicks, writeTicks), limits.idleTimeout())) {
            startLingering();
        }
    }

    // --- The way through ---

    /// Reads what there is and writes what is ready, until neither goes on.
    private void advance() {
        if (advancing || state != State.OPEN) {
            return;
        }
        advancing = true;
        try {
            do {
                reader.read();
            } while (writeReady() && reader.hasUnread());
        } finally {
            advancing = false;
        }
        if (lastWritten || reader.isEnded() && unanswered.isEmpty()) {
            startLingering();
        } else {
            readOn(!reader.isEnded() && (reader.isInBody() || hasRoomForRequest()));
        }
    }

    /// @return whether an answer was finished, so that there is room for another request
    private boolean writeReady() {
        boolean finished = false;
        while (!unanswered.isEmpty() && !lastWritten && writer.hasRoom()) {
            Exchange exchange = unanswered.getFirst();
            if (exchange.continues()) {
                writer.writeContinue();
                exchange.continues(false);
            }
            if (!exchange.isReady()) {
                break;
            }
            if (!writer.inMiddle() && isLastOfDrain(exchange)) {
                exchange.close();
            }
            writeTicks = loop.ticks();
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
            finished = true;
        }
        return finished;
    }

    /// The more connections, the less each may have unsent.
    private void limitUnsent() {
        int high = loop.writeHighWaterBytes();
        if (high != writeHighWaterBytes) {
            writeHighWaterBytes = high;
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(high / 2, high));
        }
    }

    private void finish(Exchange exchange) {
        unanswered.removeFirst();
        if (exchange.submitted()) {
            exchange.answered();
            loop.leave();
        }
        lastWritten = exchange.closes();
    }

    private boolean isLastOfDrain(Exchange exchange) {
        return loop.draining() && unanswered.size() == 1 && (reader.isBetweenRequests() || reader.isInBodyOf(exchange));
    }

    private void touch() {
        if (!touched) {
            touched = true;
            loop.touch(this);
        }
    }

    private void readOn(boolean wanted) {
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    // --- The end ---

    private void startLingering() {
        state = State.LINGERING;
        letGo();
        writeTicks = loop.ticks();
        writer.flush();
        ChannelFuture written = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        if (!inputEnded && channel instanceof DuplexChannel duplex) {
            written.addListener(_ -> shutOutput(duplex));
            readOn(true);
        } else {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void shutOutput(DuplexChannel duplex) {
        if (state == State.CLOSED) {
            return;
        }
        lingerTicks = loop.ticks();
        outputEnded = true;
        if (inputEnded) {
            abort();
        } else {
            duplex.shutdownOutput();
        }
    }

    private void closed() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            letGo();
            writer.release();
            loop.closed(this);
        }
    }

    /// Nothing more will be read or answered.
    private void letGo() {
        reader.end();
        for (Exchange exchange = unanswered.poll(); exchange != null; exchange = unanswered.poll()) {
            if (exchange.submitted()) {
                loop.service().abandon(exchange);
            }
        }
    }
}
