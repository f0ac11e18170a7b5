package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.parse.RequestSink.PendingRequest;
import kvant.server.service.NodePages;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one client into requests and hands each to a [RequestSink] as soon as its answer can be begun: a
/// refused one with its head, any other with the end of its body.
///
/// Owned by one event loop.
public final class RequestReader extends InputReader {

    /// Keys up to this length are bounded well enough by the requests in flight.
    private static final int UNCLAIMED_KEY_BYTES = 1024;

    private static final byte[] NO_BODY = {};

    // Constant.
    private final RequestSink sink;
    private final NodePages pages;
    private final MemoryReservation bodyClaim;
    private final HeadParser parser;
    private final BodyReader body;

    // Owned by the event loop.
    private @Nullable PendingRequest current; // in the state BODY

    /// @param target holds nothing between two targets: connections of a loop may share it
    /// @param unreadClaim for bytes that are held unread
    /// @param bodyClaim for the body that is being received, and a long key
    public RequestReader(
            RequestSink sink,
            HttpLimits limits,
            TargetParser target,
            NodePages pages,
            MemoryReservation unreadClaim,
            MemoryReservation bodyClaim) {
        super(limits, unreadClaim);
        this.sink = sink;
        this.pages = pages;
        this.bodyClaim = bodyClaim;
        this.parser = new HeadParser(limits, target);
        this.body = new BodyReader(limits, bodyClaim);
    }

    @Override
    protected boolean hasRoom() {
        return sink.hasRoom();
    }

    @Override
    protected boolean inParts() {
        return parser.inHeaders();
    }

    @Override
    public boolean mayEnd() {
        return isBetweenRequests() || isInBody();
    }

    @Override
    protected void drop() {
        body.drop();
        current = null;
    }

    @Override
    protected boolean head(ByteBuf in) {
        return switch (parser.parse(in)) {
            case MORE -> {
                // Empty lines before a request are none of it: a client that sends one after a body and then
                // nothing is idle, not slow.
                if (in.isReadable() || parser.inHeaders()) {
                    headBegins();
                }
                yield false;
            }
            case FAILED -> {
                fail(parser.problem());
                yield true;
            }
            case COMPLETE -> {
                count(parser.headers());
                begin(sink.begin(parser.head()), parser.head());
                yield true;
            }
        };
    }

    @Override
    protected boolean body(ByteBuf in) {
        int linesBefore = body.lines();
        BodyReader.Result result = body.read(in, linesLeft());
        count(body.lines() - linesBefore);
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
                PendingRequest request = current();
                current = null;
                complete(request, body.take());
                yield true;
            }
        };
    }

    /// A request whose head is complete and sound.
    private void begin(PendingRequest request, RequestHead head) {
        if (!request.isRefused() && !bodyClaim.resize(longKeyBytes(head))) {
            request.refuse(Problem.OVERLOADED);
        }
        if (!head.hasBody()) {
            complete(request, NO_BODY);
            return;
        }
        boolean wanted = !request.isRefused() && head.takesBody();
        if (!wanted && (head.expectContinue || head.expectOther)) {
            // The client waits before it sends a body, which is not needed here. It may or may not send the body
            // after the final answer, so the connection ends with that answer (RFC 9110, section 10.1.1).
            request.close();
            complete(request, NO_BODY);
            return;
        }
        beginBody(head, wanted);
        if (head.expectContinue) {
            request.awaitContinue();
        }
        current = request;
        enter(State.BODY);
    }

    private static int longKeyBytes(RequestHead head) {
        int bytes = lengthOf(head.key) + lengthOf(head.end);
        return bytes > UNCLAIMED_KEY_BYTES ? bytes : 0;
    }

    private static int lengthOf(byte @Nullable [] key) {
        return key == null ? 0 : key.length;
    }

    private void beginBody(RequestHead head, boolean keep) {
        if (head.transferEncoding) {
            body.chunked(keep, bodyClaim.bytes());
        } else if (keep) {
            body.keepFixed((int) head.contentLength, bodyClaim.bytes());
        } else {
            body.skipFixed(head.contentLength);
        }
    }

    /// Everything of the request has been read.
    private void complete(PendingRequest request, byte[] value) {
        enter(request.closes() ? State.ENDED : State.HEAD);
        if (!request.isRefused()) { // else nothing is claimed
            sink.complete(request, parser.head().request(value, pages), bodyClaim.handOver());
        }
        parser.reset();
        requestEnds();
    }

    @Override
    protected void fail(Problem problem) {
        PendingRequest request;
        if (isInBody()) {
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
        enter(State.ENDED);
    }

    private PendingRequest current() {
        PendingRequest request = current;
        if (request == null) {
            throw new IllegalStateException("no body is being read");
        }
        return request;
    }
}
