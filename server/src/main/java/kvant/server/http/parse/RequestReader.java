package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import kvant.server.admit.MemoryBudget;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.service.NodePages;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one client into requests and hands each to a [RequestSink] as soon as its answer can be begun: a
/// refused one with its head, any other with the end of its body.
///
///     HEAD --head without body--> HEAD
///     HEAD --head--> BODY --end of body--> HEAD
///     HEAD, BODY --last request, error, end of input--> ENDED
///
/// Owned by one event loop. Invariants: how the bytes were split over reads changes nothing; what is held unread beyond
/// an ordinary head is claimed from a budget.
public final class RequestReader {

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
    private final RequestSink sink;
    private final NodePages pages;
    private final MemoryBudget unreadBudget;
    private final HeadParser parser;
    private final BodyReader body;
    private final int turnLines;

    // Owned by the event loop.
    private State state = State.HEAD;
    private @Nullable PendingRequest current;
    private @Nullable ByteBuf unread;
    private boolean inputEnded;
    private boolean headStarted;
    private long headTicks;
    private long claimedBytes;
    private int lines;

    /// @param target holds nothing between two targets: connections of a loop may share it
    /// @param unreadBudget memory for long heads
    /// @param bodyBudget memory for bodies
    public RequestReader(
            RequestSink sink,
            HttpLimits limits,
            TargetParser target,
            NodePages pages,
            MemoryBudget unreadBudget,
            MemoryBudget bodyBudget) {
        this.sink = sink;
        this.pages = pages;
        this.unreadBudget = unreadBudget;
        this.parser = new HeadParser(limits, target);
        this.body = new BodyReader(limits, bodyBudget);
        this.turnLines = limits.turnLines();
    }

    /// Takes over bytes that arrived.
    public void add(ByteBufAllocator allocator, ByteBuf in) {
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
    public void inputEnded() {
        inputEnded = true;
    }

    public boolean hasUnread() {
        return unread != null;
    }

    /// Whether no further request is taken.
    public boolean isEnded() {
        return state == State.ENDED;
    }

    public boolean isInBody() {
        return state == State.BODY;
    }

    /// Whether nothing of a request has arrived that has not been handed over.
    public boolean isBetweenRequests() {
        return state == State.HEAD && unread == null && !parser.inHeaders();
    }

    /// Whether a part of a head has arrived and the rest is awaited.
    public boolean isInHead() {
        return headStarted && state == State.HEAD;
    }

    /// When the head that is being read began.
    public long headTicks() {
        return headTicks;
    }

    /// The other connections have had their turn.
    public void beginTurn() {
        lines = 0;
    }

    /// Whether as many lines were read since then as others may wait for: the work of reading lies in lines, whether
    /// they are headers or chunks.
    public boolean isTurnOver() {
        return lines >= turnLines;
    }

    /// Reads as many requests as there are, and as the sink and the turn have room for.
    ///
    /// @param nowTicks the present, for [#headTicks]
    public void read(long nowTicks) {
        ByteBuf in = unread;
        boolean goesOn = true;
        while (in != null && goesOn) {
            goesOn = switch (state) {
                case HEAD -> in.isReadable() && sink.hasRoom() && !isTurnOver() && head(in, nowTicks);
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
        if (inputEnded && state != State.ENDED && sink.hasRoom() && !isTurnOver()) {
            cutShort();
        }
    }

    /// The client took too long.
    public void timeOut() {
        fail(Problem.REQUEST_TIMEOUT);
    }

    /// Takes no further request, and lets go of what it holds.
    public void end() {
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
        unreadBudget.release(claimedBytes);
        claimedBytes = 0;
    }

    /// Claims memory for a head that is so long that only a few of its kind fit.
    private boolean claimJoined(ByteBuf first, ByteBuf second) {
        int needed = first.readableBytes() + second.readableBytes();
        long more = needed <= UNCLAIMED_BYTES ? 0 : capacityFor(needed) - claimedBytes;
        if (more > 0) {
            if (!unreadBudget.claim(more, claimedBytes)) {
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
    private boolean head(ByteBuf in, long nowTicks) {
        return switch (parser.parse(in)) {
            case MORE -> {
                // Empty lines before a request are none of it: a client that sends one after a body and then
                // nothing is idle, not slow.
                if (!headStarted && (in.isReadable() || parser.inHeaders())) {
                    headStarted = true;
                    headTicks = nowTicks;
                }
                yield false;
            }
            case FAILED -> {
                fail(parser.problem());
                yield true;
            }
            case COMPLETE -> {
                lines += parser.headers();
                begin(sink.begin(parser.head()), parser.head());
                yield true;
            }
        };
    }

    /// @return whether there may be more to read
    private boolean body(ByteBuf in) {
        int linesBefore = body.lines();
        BodyReader.Result result = body.read(in, turnLines - lines);
        lines += body.lines() - linesBefore;
        return switch (result) {
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
    private void begin(PendingRequest request, RequestHead head) {
        if (!head.hasBody()) {
            complete(request, Requests.NO_BODY, 0);
            return;
        }
        boolean wanted = !request.isRefused() && (head.method == Method.PUT || head.method == Method.POST);
        if (wanted && !beginKeeping(head)) {
            request.refuse(Problem.OVERLOADED);
            wanted = false;
        }
        if (!wanted && (head.expectContinue || head.expectOther)) {
            // The client waits before it sends a body that nobody wants. Whether it sends it after the
            // final answer cannot be known, so the connection ends with that answer (RFC 9110, section
            // 10.1.1).
            request.close();
            complete(request, Requests.NO_BODY, 0);
            return;
        }
        if (!wanted) {
            beginSkipping(head);
        }
        if (head.expectContinue) {
            request.awaitContinue();
        }
        current = request;
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
        PendingRequest request = current();
        current = null;
        long bodyBytes = body.claimedBytes();
        complete(request, body.take(), bodyBytes);
    }

    /// Everything of the request has been read.
    private void complete(PendingRequest request, byte[] value, long bodyBytes) {
        state = request.closes() ? State.ENDED : State.HEAD;
        if (!request.isRefused()) {
            request.complete(Requests.of(parser.head(), value, pages), bodyBytes);
        }
        parser.reset();
        headStarted = false;
    }

    /// Nothing that follows can be trusted, or is wanted.
    private void fail(Problem problem) {
        PendingRequest request;
        if (state == State.BODY) {
            request = current();
            current = null;
            if (!request.isRefused()) {
                request.refuse(problem);
            }
            body.drop();
        } else {
            request = sink.begin(parser.head());
            request.refuse(problem);
        }
        request.close();
        state = State.ENDED;
    }

    /// The client has ended its input, perhaps in the middle of a request.
    private void cutShort() {
        if (isBetweenRequests()) {
            state = State.ENDED;
        } else {
            fail(Problem.MALFORMED);
            release();
        }
    }

    private PendingRequest current() {
        PendingRequest request = current;
        if (request == null) {
            throw new IllegalStateException("no body is being read");
        }
        return request;
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
