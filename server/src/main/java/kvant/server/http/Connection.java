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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.AnswerMemory;
import kvant.server.http.answer.AnswerWriter;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.parse.InputReader;
import kvant.server.http.tls.TlsFront;
import kvant.server.service.CompletionQueue;
import org.jspecify.annotations.Nullable;

/// A client connection: its input becomes requests, and their answers go back in the same order.
///
///     bytes --> [InputReader] --> [Pipeline] --> service ... settled --> [Pipeline] --> bytes
///
///     OPEN --last answer written--> LINGERING --client closes, or time is up--> CLOSED
///       \_________________________reset, failure______________________________/
///
/// While lingering, the output is shut and further input is discarded. Closing at once would make the kernel answer
/// that input with a reset, which can overtake the last answer (RFC 9112, section 9.6). A connection without a
/// request at the start of a drain has no answer to lose: it lingers for a moment, unless bytes still come.
///
/// Owned by its event loop. Invariants:
/// - every request of the [Pipeline] is answered in order, or the connection is closed;
/// - nothing is read from the socket while the pipeline has no place for another request;
/// - after its share of requests, bytes or lines the other connections of the loop get their turn;
/// - nothing more is produced for a client that does not take its waiting answers.
final class Connection extends ChannelInboundHandlerAdapter implements CompletionQueue.Member {

    /// Longest linger of a connection without a request during a drain, while its client sends nothing.
    private static final long QUIET_LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private enum State {
        OPEN,
        LINGERING,
        CLOSED
    }

    // Constant.
    private final LoopContext loop;
    private final FailureLog failures;
    private final LoopClock clock;
    private final HttpLimits limits;
    private final Channel channel;
    private final Pipeline pipeline;
    private final InboundGuard input;
    private final InputReader reader;

    // Owned by the event loop.
    private State state = State.OPEN;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean advancing;
    private boolean turnDue;
    private boolean drainsIdle;
    private long lingeredBytes;
    private long lingerTicks;
    private long readTicks;
    private long receivedBytes;
    private @Nullable OutboundGuard output; // most connections never need one

    /// @param resp where the client speaks RESP, else null
    Connection(Channel channel, LoopContext loop, FailureLog failures, @Nullable RespDialect resp) {
        this.channel = channel;
        this.loop = loop;
        this.failures = failures;
        this.clock = loop.clock;
        this.limits = loop.limits;
        AnswerWriter writer = resp == null ? loop.writer(channel) : resp.writer(channel, loop);
        this.pipeline = new Pipeline(channel, loop, writer, this::settled);
        this.input = new InboundGuard(
                clock, limits, loop.memory.unread(), loop.memory.bodies(), () -> onLoop(this::inputEvicted));
        this.reader = resp == null
                ? loop.reader(pipeline, input.unread, input.body)
                : resp.reader(channel, loop, pipeline, input.unread, input.body);
        this.readTicks = clock.ticks;
    }

    // --- From the channel ---

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        readTicks = clock.ticks;
        if (state == State.OPEN) {
            pipeline.received(in.readableBytes(), System.nanoTime());
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
        if (!turnDue) { // io_uring has more of one connection at hand than a turn takes
            beginTurn();
        }
        pipeline.flush();
        loop.readCompleted();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        pipeline.moved();
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
            pipeline.flush();
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
        if (!(cause instanceof IOException)) { // a reset by the client is no fault of the node
            failures.failed(cause);
        }
        abort();
    }

    // --- From the pipeline and the loop ---

    /// Called when a request has something to write.
    private void settled() {
        if (!advancing) {
            askForTurn();
        }
    }

    @Override
    public void turn() {
        turnDue = false;
        beginTurn();
        try {
            if (state == State.OPEN) {
                advance();
                pipeline.flush();
            }
        } catch (RuntimeException | Error e) { // other connections wait for their turns
            failed(e);
        }
    }

    private void beginTurn() {
        pipeline.beginTurn();
        reader.beginTurn();
    }

    /// Ends an idle connection during a drain.
    ///
    /// @param quiet whether there was no answer that may be lost
    void endIfIdle(boolean quiet) {
        if (state == State.OPEN && pipeline.isEmpty() && reader.isBetweenRequests()) {
            drainsIdle = quiet;
            startLingering();
        }
    }

    /// Ends a connection during a drain, a while after the end of the output, if its client has sent nothing
    /// meanwhile.
    private void endIfQuiet() {
        if (state == State.LINGERING && lingeredBytes == 0) {
            abort();
        }
    }

    void abort() {
        TlsFront.abort(channel);
    }

    /// Any thread may call.
    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException _) { // the loop has ended, and the connection with it
            return;
        }
    }

    /// Another was given the memory that its input holds, or held until now.
    private void inputEvicted() {
        if (state == State.OPEN && input.isEvicted()) {
            reader.shed();
            askForTurn();
        }
    }

    /// Another was given the memory that its answers hold; the client may have taken all of them just now.
    private void outputEvicted() {
        OutboundGuard guard = output;
        if (guard == null || !guard.isEvicted()) {
            return;
        }
        AnswerMemory memory = loop.memory.answers();
        if (pipeline.heldOf(memory.shared()) > 0 || pipeline.heldOf(memory.longest()) > 0) {
            reset();
        } else {
            guard.gone();
        }
    }

    /// The time for which the node has waited for this client without owing it anything: no request, only an
    /// incomplete one, or only the client's close is missing. 0 in all other cases.
    long waitedTicks() {
        long now = clock.ticks;
        return switch (state) {
            case OPEN -> {
                if (pipeline.isEmpty()) {
                    yield now - (reader.isInHead() ? reader.headTicks() : Math.max(readTicks, pipeline.movedTicks));
                }
                yield reader.isInBody() && pipeline.hasOne() ? now - readTicks : 0;
            }
            case LINGERING -> outputEnded ? now - lingerTicks : 0;
            case CLOSED -> 0;
        };
    }

    /// Checks the deadlines. Throws nothing: other connections have deadlines, too.
    void tick() {
        try {
            checkDeadlines();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void checkDeadlines() {
        pipeline.look();
        if (state == State.LINGERING) {
            boolean over = outputEnded
                    ? clock.isOver(lingerTicks, limits.lingerTimeout())
                    : clock.isOver(pipeline.movedTicks, limits.stallTimeout());
            if (over) {
                abort();
            }
        } else if (state == State.OPEN) {
            checkOpenDeadlines();
        }
    }

    private void checkOpenDeadlines() {
        boolean inBody = reader.holdsBody() && !pipeline.isContinueDue();
        boolean inHead = reader.isInHead() && !inBody;
        input.lookAtUnread(inHead ? reader.headTicks() : readTicks);
        boolean slowBody = input.isBodyTooSlow(inBody, reader.requests(), receivedBytes)
                || inBody && clock.isOver(readTicks, limits.stallTimeout());
        Pipeline.Exchange next = pipeline.next();
        boolean answerWaits = next == null ? !pipeline.isEmpty() : next.isReady();
        boolean slowHead = inHead && pipeline.hasRoom() && clock.isOver(reader.headTicks(), limits.headTimeout());
        if (isOutputTooSlow(answerWaits)) {
            reset();
        } else if (!answerWaits && (slowBody || slowHead)) {
            reader.timeOut();
            askForTurn();
        } else if (pipeline.isEmpty() && clock.isOver(Math.max(readTicks, pipeline.movedTicks), limits.idleTimeout())) {
            startLingering();
        }
    }

    /// Whether the client takes the waiting answers below the lowest rate, or not at all.
    private boolean isOutputTooSlow(boolean answerWaits) {
        OutboundGuard guard = output;
        AnswerMemory memory = loop.memory.answers();
        if (!answerWaits) {
            if (guard != null) {
                guard.rest();
            }
            return false;
        }
        if (guard == null) {
            guard = new OutboundGuard(clock, limits, memory, () -> onLoop(this::outputEvicted));
            output = guard;
        }
        long sharedBytes = pipeline.heldOf(memory.shared());
        long longestBytes = pipeline.heldOf(memory.longest());
        boolean tooSlow = guard.isTooSlow(pipeline.takenBytes, sharedBytes, longestBytes)
                || clock.isOver(pipeline.movedTicks, limits.stallTimeout());
        if (tooSlow) {
            memory.tooSlow();
        }
        return tooSlow;
    }

    // --- The way through ---

    /// Reads available input and writes ready answers, until neither makes progress.
    private void advance() {
        if (advancing || state != State.OPEN) {
            return;
        }
        advancing = true;
        try {
            do {
                reader.read(clock.ticks);
            } while (pipeline.writeReady(loop.draining && reader.mayEnd()) && reader.hasUnread());
        } finally {
            advancing = false;
        }
        if (pipeline.cutOff) {
            reset();
        } else if (pipeline.isLastWritten() || reader.isEnded() && pipeline.isEmpty()) {
            startLingering();
        } else {
            goOn();
            if (loop.draining && pipeline.isEmpty()) { // the answer could not say that it is the last
                channel.eventLoop().schedule(() -> endIfIdle(false), clock.drainDelayNanos(), TimeUnit.NANOSECONDS);
            }
        }
    }

    private void goOn() {
        boolean turnIsOver = pipeline.isTurnFull()
                || (pipeline.isTurnOver() || reader.isTurnOver()) && (reader.hasUnread() || inputEnded);
        if (inputEnded) {
            pipeline.inputEnded();
        }
        readOn(!reader.isEnded() && (reader.isInBody() || pipeline.hasPlaces()) && !turnIsOver);
        if (turnIsOver) {
            yieldTurn();
        }
    }

    private void askForTurn() {
        if (!turnDue) {
            turnDue = true;
            loop.mailbox.soon(this);
        }
    }

    /// As [#askForTurn], but behind all other connections, including those with input.
    private void yieldTurn() {
        if (!turnDue) {
            turnDue = true;
            loop.later(this);
        }
    }

    private void readOn(boolean wanted) {
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
            if (wanted) {
                readTicks = clock.ticks; // while nothing was read, the client could not be slow
            }
        }
    }

    // --- The end ---

    private void startLingering() {
        state = State.LINGERING;
        letGo();
        pipeline.moved();
        pipeline.flush();
        ChannelFuture ended = TlsFront.endOutput(channel);
        ChannelFuture written = ended == null ? channel.writeAndFlush(Unpooled.EMPTY_BUFFER) : ended;
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
        lingerTicks = clock.ticks;
        outputEnded = true;
        if (inputEnded) {
            abort();
        } else {
            TlsFront.stop(channel);
            duplex.shutdownOutput();
            if (drainsIdle) {
                channel.eventLoop().schedule(this::endIfQuiet, QUIET_LINGER_NANOS, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void closed() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            letGo();
            pipeline.release();
            if (output != null) {
                output.gone();
            }
        }
    }

    /// Releases everything, because nothing more will be read or answered.
    private void letGo() {
        reader.end();
        pipeline.abandon();
    }
}
