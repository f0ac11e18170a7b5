package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import kvant.server.http.contract.Bytes;
import kvant.server.request.RequestTrace;
import kvant.server.request.RequestTrace.TraceParent;
import org.jspecify.annotations.Nullable;

/// A reader of the client's ids for a request: `X-Request-Id`, and the span that it is a part of, `traceparent` (W3C
/// Trace Context, level 1).
///
/// A header that is not well-formed, or that comes twice, is ignored: no request fails for it, and no part of it
/// reaches an answer or a log.
final class TraceHeaders {

    /// `00-` trace `-` parent `-` flags.
    private static final int PARENT_BYTES = 55;

    private static final int VERSION_DIGITS = 2;
    private static final int TRACE = 3;
    private static final int LONG_DIGITS = 16;
    private static final int TRACE_END = TRACE + 2 * LONG_DIGITS;
    private static final int SPAN = TRACE_END + 1;
    private static final int SPAN_END = SPAN + LONG_DIGITS;
    private static final int FLAGS = SPAN_END + 1;
    private static final int NO_VERSION = 0xff;
    private static final int HEX_SHIFT = 4;

    private static final String PUNCTUATION = "-_.~:/+=@";

    /// Continues while a byte may stand in an id: none of these has a meaning in a header, a log line or JSON.
    private static final ByteProcessor IN_ID =
            b -> b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || PUNCTUATION.indexOf(b) >= 0;

    /// Continues while a byte is a hexadecimal digit in lower case; upper case is not valid here.
    private static final ByteProcessor IN_HEX = b -> b >= '0' && b <= '9' || b >= 'a' && b <= 'f';

    private TraceHeaders() {}

    static void requestId(ByteBuf in, int from, int to, RequestHead head) {
        int bytes = to - from;
        boolean wellFormed = ++head.requestIds == 1
                && bytes > 0
                && bytes <= RequestTrace.MAX_ID_BYTES
                && in.forEachByte(from, bytes, IN_ID) < 0;
        if (wellFormed) {
            byte[] id = new byte[bytes];
            in.getBytes(from, id);
            head.trace = head.trace.withId(id);
        } else if (head.trace.hasId()) {
            head.trace = head.trace.withId(RequestTrace.NO_ID);
        }
    }

    static void parent(ByteBuf in, int from, int to, RequestHead head) {
        TraceParent parent = ++head.traceParents == 1 ? parse(in, from, to) : null;
        if (parent != null || head.trace.parent() != null) {
            head.trace = new RequestTrace(head.trace.id(), parent);
        }
    }

    private static @Nullable TraceParent parse(ByteBuf in, int from, int to) {
        if (to - from < PARENT_BYTES
                || !isHex(in, from, from + VERSION_DIGITS)
                || !isHex(in, from + TRACE, from + TRACE_END)
                || !isHex(in, from + SPAN, from + SPAN_END)
                || !isHex(in, from + FLAGS, from + PARENT_BYTES)
                || !isDash(in, from + VERSION_DIGITS)
                || !isDash(in, from + TRACE_END)
                || !isDash(in, from + SPAN_END)) {
            return null;
        }
        int version = (int) hex(in, from, from + VERSION_DIGITS);
        // A later version may have more behind a dash.
        boolean ends = to - from == PARENT_BYTES || version > 0 && isDash(in, from + PARENT_BYTES);
        TraceParent parent = new TraceParent(
                hex(in, from + TRACE, from + TRACE + LONG_DIGITS),
                hex(in, from + TRACE + LONG_DIGITS, from + TRACE_END),
                hex(in, from + SPAN, from + SPAN_END),
                (int) hex(in, from + FLAGS, from + PARENT_BYTES));
        boolean named = (parent.traceHigh() | parent.traceLow()) != 0 && parent.span() != 0;
        return version != NO_VERSION && ends && named ? parent : null;
    }

    private static boolean isDash(ByteBuf in, int at) {
        return in.getByte(at) == '-';
    }

    private static boolean isHex(ByteBuf in, int from, int to) {
        return in.forEachByte(from, to - from, IN_HEX) < 0;
    }

    private static long hex(ByteBuf in, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = number << HEX_SHIFT | Bytes.hexDigit(in.getByte(i));
        }
        return number;
    }
}
