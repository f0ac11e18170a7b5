package kvant.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one connection into requests and hands each to its [Connection] as soon as its
/// answer can be begun: a refused one with its head, any other with the end of its body.
///
///     HEAD --head without body--> HEAD
///     HEAD --head--> BODY --end of body--> HEAD
///     HEAD, BODY --last request, error, end of input--> ENDED
///
/// Owned by the connection's event loop. Invariant: how the bytes were split over reads changes nothing.
final class RequestReader {

    private enum State {
        /// Between requests, or in the head of one.
        HEAD,
        /// In the body of `current`.
        BODY,
        /// The last request has been read; what follows is thrown away.
        ENDED
    }

    /// Bytes of a connection that may wait without a claim on memory: an ordinary head.
    private static final int UNCLAIMED_BYTES = 16 << 10;

    // Constant.
    private final Connection connection;
    private final LoopContext loop;
    private final HeadParser parser;
    private final BodyReader body;

    // Owned by the event loop.
    private State state = State.HEAD;
    private @Nullable Exchange current;
    private @Nullable ByteBuf unread;
    private boolean inputEnded;
    private boolean headStarted;
    private long headTicks;
    private long claimedBytes;

    RequestReader(Connection connection, LoopContext loop) {
        this.connection = connection;
        this.loop = loop;
        this.parser = new HeadParser(loop.limits(), loop.target());
        this.body = new BodyReader(loop.limits(), loop.budget());
    }

    /// Takes over bytes that arrived.
    void add(ByteBufAllocator allocator, ByteBuf in) {
        ByteBuf before = unread;
        if (before == null) {
            unread = in;
        } else if (claimJoined(before, in)) {
            unread = join(allocator, before, in);
        } else {
            in.release();
            release();
            fail(Problem.OVERLOADED);
        }
    }

    /// No more bytes will arrive.
    void inputEnded() {
        inputEnded = true;
    }

    boolean hasUnread() {
        return unread != null;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    boolean isInBody() {
        return state == State.BODY;
    }

    /// Whether the body of this exchange is still being read.
    boolean isInBodyOf(Exchange exchange) {
        return state == State.BODY && current == exchange;
    }

    /// Whether nothing of a request has arrived that has not been handed over.
    boolean isBetweenRequests() {
        return state == State.HEAD && unread == null && !parser.inHeaders();
    }

    /// Whether the head of a request has been awaited since before so many ticks.
    boolean isInHead() {
        return headStarted && state == State.HEAD;
    }

    /// When the head that is being read began.
    long headTicks() {
        return headTicks;
    }

    /// Reads as many requests as there are, and as the connection has room for.
    void read() {
        ByteBuf in = unread;
        boolean goesOn = true;
        while (in != null && goesOn) {
            goesOn = switch (state) {
                case HEAD -> in.isReadable() && connection.hasRoomForRequest() && head(in);
                case BODY -> body(in);
                case ENDED -> {
                    in.skipBytes(in.readableBytes());
                    yield false;
                }
            };
        }
        if (in != null && !in.isReadable()) {
            release();
        }
        if (inputEnded && state != State.ENDED && connection.hasRoomForRequest()) {
            cutShort();
        }
    }

    /// The client took too long.
    void timeOut() {
        fail(Problem.REQUEST_TIMEOUT);
    }

    /// Takes no further request.
    void end() {
        state = State.ENDED;
        body.drop();
        current = null;
        release();
    }

    private void release() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
        loop.heads().release(claimedBytes);
        claimedBytes = 0;
    }

    /// Claims memory for a head that is so long that only a few of its kind fit.
    private boolean claimJoined(ByteBuf first, ByteBuf second) {
        int needed = first.readableBytes() + second.readableBytes();
        long more = needed <= UNCLAIMED_BYTES ? 0 : capacityFor(needed) - claimedBytes;
        if (more > 0) {
            if (!loop.heads().claim(more, claimedBytes)) {
                return false;
            }
            claimedBytes += more;
        }
        return true;
    }

    private static int capacityFor(int bytes) {
        return Integer.highestOneBit(bytes) << 1;
    }

    /// @return whether there may be more to read
    private boolean head(ByteBuf in) {
        return switch (parser.parse(in)) {
            case MORE -> {
                // Empty lines before a request are none of it: a client that sends one after a body and then
                // nothing is idle, not slow.
                if (!headStarted && (in.isReadable() || parser.inHeaders())) {
                    headStarted = true;
                    headTicks = loop.ticks();
                }
                yield false;
            }
            case FAILED -> {
                fail(parser.problem());
                yield true;
            }
            case COMPLETE -> {
                begin(new Exchange(connection, loop, parser.head()), parser.head());
                yield true;
            }
        };
    }

    /// @return whether there may be more to read
    private boolean body(ByteBuf in) {
        return switch (body.read(in)) {
            case MORE -> false;
            case NO_MEMORY -> {
                current().refuse(Problem.OVERLOADED);
                yield true;
            }
            case FAILED -> {
                fail(body.problem());
                yield true;
            }
            case COMPLETE -> {
                bodyComplete();
                yield true;
            }
        };
    }

    /// A request whose head is complete and sound.
    private void begin(Exchange exchange, RequestHead head) {
        connection.begun(exchange);
        if (head.refusal != null) {
            exchange.refuse(head.refusal);
        } else if (head.route == Route.SLOW && !connection.isLocal()) {
            exchange.refuse(Problem.LOOPBACK_ONLY);
        }
        if (!head.hasBody()) {
            complete(exchange, Requests.NO_BODY, 0);
            return;
        }
        boolean wanted = exchange.problem() == null && (head.method == Method.PUT || head.method == Method.POST);
        if (wanted && !beginKeeping(head)) {
            exchange.refuse(Problem.OVERLOADED);
            wanted = false;
        }
        if (!wanted && (head.expectContinue || head.expectOther)) {
            // The client waits before it sends a body that nobody wants. Whether it sends it after the
            // final answer cannot be known, so the connection ends with that answer (RFC 9110, section
            // 10.1.1).
            exchange.close();
            complete(exchange, Requests.NO_BODY, 0);
            return;
        }
        if (!wanted) {
            beginSkipping(head);
        }
        exchange.continues(head.expectContinue);
        current = exchange;
        state = State.BODY;
    }

    /// @return false when there is no memory for the body
    private boolean beginKeeping(RequestHead head) {
        if (head.transferEncoding) {
            body.chunked(true);
            return true;
        }
        return body.keepFixed((int) head.contentLength);
    }

    private void beginSkipping(RequestHead head) {
        if (head.transferEncoding) {
            body.chunked(false);
        } else {
            body.skipFixed(head.contentLength);
        }
    }

    private void bodyComplete() {
        Exchange exchange = current();
        current = null;
        long claimedBytes = body.claimedBytes();
        complete(exchange, body.take(), claimedBytes);
    }

    /// Everything of the request has been read.
    private void complete(Exchange exchange, byte[] value, long claimedBytes) {
        state = exchange.closes() ? State.ENDED : State.HEAD;
        if (exchange.problem() == null) {
            connection.complete(exchange, Requests.of(parser.head(), value, loop.pages()), claimedBytes);
        }
        parser.reset();
        headStarted = false;
    }

    /// Nothing that follows can be trusted, or is wanted.
    private void fail(Problem problem) {
        if (state == State.BODY) {
            Exchange exchange = current();
            current = null;
            if (exchange.problem() == null) {
                exchange.refuse(problem);
            }
            exchange.close();
            body.drop();
        } else {
            Exchange exchange = new Exchange(connection, loop, parser.head());
            exchange.refuse(problem);
            exchange.close();
            connection.begun(exchange);
        }
        state = State.ENDED;
    }

    /// The client has said its last, perhaps in the middle of a request.
    private void cutShort() {
        if (isBetweenRequests()) {
            state = State.ENDED;
        } else {
            fail(Problem.MALFORMED);
            release();
        }
    }

    private Exchange current() {
        Exchange exchange = current;
        if (exchange == null) {
            throw new IllegalStateException("no body is being read");
        }
        return exchange;
    }

    /// Appends in place where there is room, and else in a buffer of twice the size, so that a long line
    /// costs its length, not its square.
    private static ByteBuf join(ByteBufAllocator allocator, ByteBuf first, ByteBuf second) {
        int needed = first.readableBytes() + second.readableBytes();
        ByteBuf joined = first;
        if (first.writableBytes() < second.readableBytes()) {
            joined = allocator.directBuffer(capacityFor(needed));
            joined.writeBytes(first);
            first.release();
        }
        joined.writeBytes(second);
        second.release();
        return joined;
    }
}
