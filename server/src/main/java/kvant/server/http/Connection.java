package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import kvant.server.service.Request;

/// One client connection: what arrives becomes requests, and their answers go back in the same order.
///
///     bytes --> [RequestReader] --> Exchange --> service ... settled --> [Answers] --> bytes
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
/// - every exchange in [Answers] is answered in order, or the connection is closed;
/// - nothing is read from the socket while there are as many unanswered requests as there may be, or as many
///   reads that wait for a worker;
/// - after so many requests the other connections of the loop get their turn;
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
    private final Answers answers;
    private final BodyWatch bodyWatch;
    private final int remotePort;

    // Owned by the event loop.
    private State state = State.OPEN;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean advancing;
    private boolean touched;
    private long lingeredBytes;
    private long lingerTicks;
    private long readTicks;
    private int turnRequests;
    private int waitingReads;
    private long receivedBytes;
    private long readNanos;

    Connection(Channel channel, LoopContext loop) {
        this.channel = channel;
        this.loop = loop;
        this.limits = loop.limits();
        this.reader = new RequestReader(this, loop);
        this.answers = new Answers(this, channel, loop);
        this.bodyWatch = new BodyWatch(loop);
        this.remotePort = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getPort() : 0;
        this.readTicks = loop.ticks();
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
            readNanos = System.nanoTime();
            receivedBytes += in.readableBytes();
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
        turnRequests = 0;
        answers.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        answers.moved();
        if (ctx.channel().isWritable()) {
            yieldTurn(); // not at once: a fast reader must not keep the loop to itself
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
            answers.flush();
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
        return turnRequests < limits.turnRequests() && hasPlaces();
    }

    private boolean hasPlaces() {
        return answers.count() < limits.maxPipelined() && waitingReads < limits.maxWaitingReads();
    }

    /// Whether the client is on the machine of the node.
    boolean isLocal() {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                && remote.getAddress() != null
                && remote.getAddress().isLoopbackAddress();
    }

    int remotePort() {
        return remotePort;
    }

    /// A request whose answer has its place in the order from now on.
    void begun(Exchange exchange) {
        turnRequests++;
        answers.add(exchange);
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
        exchange.completeAt(readNanos);
        loop.service().submit(exchange, request);
        if (!exchange.isReady() && (request instanceof Request.Get || request instanceof Request.Scan)) {
            exchange.waits(true);
            waitingReads++;
        }
    }

    // --- From the service and the loop ---

    /// An exchange of this connection has something to write.
    void settled(Exchange exchange) {
        loop.budget().release(exchange.takeClaim());
        if (exchange.waits()) {
            exchange.waits(false);
            waitingReads--;
        }
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
        turnRequests = 0;
        try {
            if (state == State.OPEN) {
                advance();
                answers.flush();
            }
        } catch (RuntimeException | Error e) { // others wait for their turns
            failed(e);
        }
    }

    void drainIfIdle() {
        if (state == State.OPEN && answers.isEmpty() && reader.isBetweenRequests()) {
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
                    : loop.isOver(answers.ticks(), limits.stallTimeout());
            if (over) {
                abort();
            }
        } else if (state == State.OPEN) {
            checkOpenDeadlines();
        }
    }

    private void checkOpenDeadlines() {
        Exchange next = answers.next();
        if (next != null && next.isReady()) {
            if (loop.isOver(answers.ticks(), limits.stallTimeout())) {
                abort(); // the client does not take its answer
            }
        } else if (isBodyTooSlow()
                || reader.isInHead() && hasRoomForRequest() && loop.isOver(reader.headTicks(), limits.headTimeout())) {
            reader.timeOut();
            touch();
        } else if (next == null && loop.isOver(Math.max(readTicks, answers.ticks()), limits.idleTimeout())) {
            startLingering();
        }
    }

    private boolean isBodyTooSlow() {
        if (!reader.isInBody() || answers.isContinueDue()) {
            bodyWatch.rest();
            return false;
        }
        return bodyWatch.isTooSlow(receivedBytes) || loop.isOver(readTicks, limits.stallTimeout());
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
            } while (answers.writeReady() && reader.hasUnread());
        } finally {
            advancing = false;
        }
        if (answers.isCutOff()) {
            reset();
        } else if (answers.isLastWritten() || reader.isEnded() && answers.isEmpty()) {
            startLingering();
        } else {
            goOn();
        }
    }

    private void goOn() {
        boolean turnIsOver = turnRequests >= limits.turnRequests() && (reader.hasUnread() || inputEnded);
        readOn(!reader.isEnded() && (reader.isInBody() || hasPlaces()) && !turnIsOver);
        if (turnIsOver) {
            yieldTurn();
        }
    }

    /// Whether this is the last answer before a drain, with nothing of another request to come.
    boolean drainsAfter(Exchange exchange) {
        return loop.draining() && (reader.isBetweenRequests() || reader.isInBodyOf(exchange));
    }

    private void touch() {
        if (!touched) {
            touched = true;
            loop.touch(this);
        }
    }

    /// As [#touch], but others first: those with something to read, too.
    private void yieldTurn() {
        if (!touched) {
            touched = true;
            loop.touchLater(this);
        }
    }

    private void readOn(boolean wanted) {
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
            if (wanted) {
                readTicks = loop.ticks(); // while nothing was read, the client could not be slow
            }
        }
    }

    // --- The end ---

    private void startLingering() {
        state = State.LINGERING;
        letGo();
        answers.moved();
        answers.flush();
        ChannelFuture written = channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
        if (!inputEnded && channel instanceof DuplexChannel duplex) {
            written.addListener(_ -> shutOutput(duplex));
            readOn(true);
        } else {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /// Ends the connection so that the client does not take it for a proper end.
    private void reset() {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        abort();
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
            answers.release();
            loop.closed(this);
        }
    }

    /// Nothing more will be read or answered.
    private void letGo() {
        reader.end();
        answers.letGo();
    }
}
