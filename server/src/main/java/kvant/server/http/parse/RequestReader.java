package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import kvant.server.admit.Claim;
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
/// Owned by one event loop. Invariants:
/// - how the bytes were split over reads changes nothing;
/// - what is held from one read to the next is claimed, by the size of its buffer, and that is at most twice
///   as large as what is in it: a client that sends one byte does not keep the buffer that it was received in.
public final class RequestReader {

    private enum State {
        /// Between requests, or in the head of one.
        HEAD,
        /// In the body of `current`.
        BODY,
        /// The last request has been read; what follows is thrown away.
        ENDED
    }

    /// The smallest buffer for what is held, so that a few bytes have room for a few more.
    private static final int LEAST_HELD_BYTES = 256;

    // Constant.
    private final RequestSink sink;
    private final NodePages pages;
    private final Claim unreadClaim;
    private final Claim bodyClaim;
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
    private int lines;

    /// @param target holds nothing between two targets: connections of a loop may share it
    /// @param unreadClaim for what is held unread
    /// @param bodyClaim for the body that is being received
    public RequestReader(
            RequestSink sink,
            HttpLimits limits,
            TargetParser target,
            NodePages pages,
            Claim unreadClaim,
            Claim bodyClaim) {
        this.sink = sink;
        this.pages = pages;
        this.unreadClaim = unreadClaim;
        this.bodyClaim = bodyClaim;
        this.parser = new HeadParser(limits, target);
        this.body = new BodyReader(limits, bodyClaim);
        this.turnLines = limits.turnLines();
    }

    /// Takes over bytes that arrived.
    public void add(ByteBufAllocator allocator, ByteBuf in) {
        ByteBuf before = unread;
        if (before == null) {
            unread = in;
            return;
        }
        unread = null; // where there is no memory to join them, both are released
        unread = join(allocator, before, in);
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
        if (in != null) {
            keep(in);
        }
        if (inputEnded && state != State.ENDED && sink.hasRoom() && !isTurnOver()) {
            cutShort();
        }
    }

    /// The memory that is held is needed by others.
    public void shed() {
        if (state != State.ENDED) {
            release();
            fail(Problem.OVERLOADED);
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
        unreadClaim.release();
    }

    /// Keeps what cannot be read on, and no more memory than it needs.
    private void keep(ByteBuf in) {
        if (!in.isReadable()) {
            release();
            return;
        }
        ByteBuf kept = in;
        int needed = Math.max(LEAST_HELD_BYTES, in.readableBytes());
        if (sizeOf(in) / 2 > needed) {
            kept = in.alloc().directBuffer(needed);
            kept.writeBytes(in);
            in.release();
            unread = kept;
        }
        if (!unreadClaim.resize(sizeOf(kept))) {
            shed();
        }
    }

    /// All the memory of a buffer, as far as it can be known.
    private static int sizeOf(ByteBuf buffer) {
        return buffer.writerIndex() + buffer.maxFastWritableBytes();
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
        if (!wanted && (head.expectContinue || head.expectOther)) {
            // The client waits before it sends a body that nobody wants. Whether it sends it after the
            // final answer cannot be known, so the connection ends with that answer (RFC 9110, section
            // 10.1.1).
            request.close();
            complete(request, Requests.NO_BODY, 0);
            return;
        }
        beginBody(head, wanted);
        if (head.expectContinue) {
            request.awaitContinue();
        }
        current = request;
        state = State.BODY;
    }

    private void beginBody(RequestHead head, boolean keep) {
        if (head.transferEncoding) {
            body.chunked(keep);
        } else if (keep) {
            body.keepFixed((int) head.contentLength);
        } else {
            body.skipFixed(head.contentLength);
        }
    }

    private void bodyComplete() {
        PendingRequest request = current();
        current = null;
        byte[] value = body.take();
        complete(request, value, bodyClaim.handOver());
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
        ByteBuf joined = first;
        try {
            if (first.maxFastWritableBytes() < second.readableBytes()) {
                int needed = first.readableBytes() + second.readableBytes();
                joined = allocator.directBuffer(Integer.highestOneBit(needed) << 1);
                joined.writeBytes(first);
                first.release();
            }
            joined.writeBytes(second);
        } catch (Throwable e) {
            joined.release();
            throw e;
        } finally {
            second.release();
        }
        return joined;
    }
}
