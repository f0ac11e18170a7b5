package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Objects;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.http.parse.RequestSink.PendingRequest;
import kvant.server.request.PageSource;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one client into requests and hands each to a [RequestSink] as soon as its answer can be
/// begun: a refused one with its head, any other with the end of its body.
///
/// Of a head it takes whole lines only, and leaves an incomplete one in the buffer. Strict where leniency has
/// been an attack: every line is checked by the grammar of RFC 9112 alone.
///
/// Owned by one event loop.
public final class RequestReader extends InputReader {

    /// Keys up to this length are bounded well enough by the requests in flight.
    private static final int UNCLAIMED_KEY_BYTES = 1024;

    private static final byte[] NO_BODY = {};

    /// A client may send an empty line after a body, as old ones do (RFC 9112, section 2.2); but not for
    /// ever.
    private static final int MAX_EMPTY_LINES = 8;

    private static final int VERSION_BYTES = 8;
    private static final long HTTP_1_1 = 0x485454502f312e31L;
    private static final long HTTP_1_0 = 0x485454502f312e30L;
    private static final long HTTP_ANY = 0x485454502f000000L;

    // Constant.
    private final RequestSink sink;
    private final Map<Route, PageSource> pages;
    private final MemoryReservation bodyClaim;
    private final HttpLimits limits;
    private final TargetParser target;
    private final RequestHead head = new RequestHead();
    private final Lines lines = new Lines();
    private final BodyReader body;

    // Of the head being read.
    private boolean inHeaders;
    private int emptyLines;
    private int headerBytes;
    private int headers;

    // Owned by the event loop.
    private @Nullable PendingRequest current; // in the state BODY

    /// @param target holds nothing between two targets: connections of a loop may share it
    /// @param unreadClaim for bytes that are held unread
    /// @param bodyClaim for the body that is being received, and a long key
    public RequestReader(
            RequestSink sink,
            HttpLimits limits,
            TargetParser target,
            Map<Route, PageSource> pages,
            MemoryReservation unreadClaim,
            MemoryReservation bodyClaim) {
        super(limits, unreadClaim);
        this.sink = sink;
        this.pages = pages;
        this.bodyClaim = bodyClaim;
        this.limits = limits;
        this.target = target;
        this.body = new BodyReader(limits, bodyClaim);
    }

    @Override
    protected boolean hasRoom() {
        return sink.hasRoom();
    }

    @Override
    protected boolean inParts() {
        return inHeaders;
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
        while (true) {
            int max = inHeaders ? limits.maxHeaderBytes() - headerBytes : limits.maxRequestLineBytes();
            int start = in.readerIndex();
            int end = lines.find(in, max);
            if (end == Lines.MORE) {
                // Empty lines before a request are none of it: a client that sends one after a body and then
                // nothing is idle, not slow.
                if (in.isReadable() || inHeaders) {
                    headBegins();
                }
                return false;
            }
            Problem wrong;
            if (end < 0) {
                Problem tooLong = inHeaders ? Problem.HEADERS_TOO_LARGE : Problem.LINE_TOO_LONG;
                wrong = end == Lines.TOO_LONG ? tooLong : Problem.MALFORMED;
            } else {
                Lines.skip(in, end);
                boolean isLast = inHeaders && end == start;
                wrong = isLast ? conclude() : line(in, start, end);
                if (isLast && wrong == null) {
                    count(headers);
                    begin(sink.begin(head));
                    return true;
                }
            }
            if (wrong != null) {
                fail(wrong);
                return true;
            }
        }
    }

    private @Nullable Problem line(ByteBuf in, int start, int end) {
        if (inHeaders) {
            return headerLine(in, start, end);
        }
        if (end > start) {
            return requestLine(in, start, end);
        }
        return ++emptyLines > MAX_EMPTY_LINES ? Problem.MALFORMED : null;
    }

    /// `method SP target SP version`, with single spaces.
    private @Nullable Problem requestLine(ByteBuf in, int start, int end) {
        int methodEnd = Bytes.find(in, start, end, Bytes.SP);
        int version = end - VERSION_BYTES;
        if (version - 1 <= methodEnd || in.getByte(version - 1) != Bytes.SP || !Bytes.isToken(in, start, methodEnd)) {
            return Problem.MALFORMED;
        }
        head.method = Method.of(in, start, methodEnd);
        Problem unknown = version(in.getLong(version));
        if (unknown != null) {
            return unknown;
        }
        inHeaders = true;
        return target.parse(in, methodEnd + 1, version - 1, head) ? null : Problem.MALFORMED;
    }

    private @Nullable Problem version(long word) {
        if (word == HTTP_1_1) {
            return null;
        }
        if (word == HTTP_1_0) {
            head.http10 = true;
            return null;
        }
        int major = (int) (word >>> 16 & 0xff);
        int dot = (int) (word >>> 8 & 0xff);
        int minor = (int) (word & 0xff);
        boolean wellFormed = (word & 0xffff_ffff_ff00_0000L) == HTTP_ANY && isDigit(major) && dot == '.';
        if (!wellFormed || !isDigit(minor)) {
            return Problem.MALFORMED;
        }
        return major == '1' ? null : Problem.BAD_VERSION; // 1.x is answered as 1.1 (RFC 9110, section 2.5)
    }

    private @Nullable Problem headerLine(ByteBuf in, int start, int end) {
        headerBytes += end - start + 2;
        if (++headers > limits.maxHeaders() || headerBytes > limits.maxHeaderBytes()) {
            return Problem.HEADERS_TOO_LARGE;
        }
        return HeaderParser.parse(in, start, end, head, target.checks());
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private @Nullable Problem conclude() {
        target.checks().origins().judge(head);
        Problem wrong = head.conclude(limits.maxBodyBytes());
        if (wrong == null) {
            target.checks().tokens().judge(head);
        }
        return wrong;
    }

    @Override
    protected boolean body(ByteBuf in) {
        int linesBefore = body.linesTaken;
        BodyReader.Result result = body.read(in, linesLeft());
        count(body.linesTaken - linesBefore);
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
    private void begin(PendingRequest request) {
        if (!request.isRefused() && !bodyClaim.resize(longKeyBytes())) {
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
        beginBody(wanted);
        if (head.expectContinue) {
            request.awaitContinue();
        }
        current = request;
        enter(State.BODY);
    }

    private int longKeyBytes() {
        int bytes = lengthOf(head.key) + lengthOf(head.end);
        return bytes > UNCLAIMED_KEY_BYTES ? bytes : 0;
    }

    private static int lengthOf(byte @Nullable [] key) {
        return key == null ? 0 : key.length;
    }

    private void beginBody(boolean keep) {
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
            sink.complete(request, head.request(value, pages), bodyClaim.handOver());
        }
        head.reset();
        inHeaders = false;
        emptyLines = 0;
        headerBytes = 0;
        headers = 0;
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
            request = sink.begin(head);
            request.refuse(problem);
        }
        request.close();
        enter(State.ENDED);
    }

    private PendingRequest current() {
        return Objects.requireNonNull(current, "no body is being read");
    }
}
