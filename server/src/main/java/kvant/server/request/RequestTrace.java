package kvant.server.request;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The ids of a request and of the trace that it belongs to. Immutable.
///
/// @param id of its client (`X-Request-Id`), or made by the node; empty until it is needed. Letters, digits and
///     `-_.~:/+=@`, so that it can stand in any header, document and line as it is
/// @param parent span of the client, or null where it names none
public record RequestTrace(byte[] id, @Nullable TraceParent parent) {

    public static final int MAX_ID_BYTES = 128;

    public static final byte[] NO_ID = {};

    /// The client sent no ids, and none was needed yet.
    public static final RequestTrace NONE = new RequestTrace(NO_ID, null);

    public boolean hasId() {
        return id.length > 0;
    }

    /// The same with an id, which is made where there is none.
    public RequestTrace named() {
        return hasId()
                ? this
                : withId(HexFormat.of()
                        .toHexDigits(ThreadLocalRandom.current().nextLong())
                        .getBytes(StandardCharsets.US_ASCII));
    }

    public RequestTrace withId(byte[] other) {
        return new RequestTrace(other, parent);
    }

    /// The id, or empty.
    public String idText() {
        return new String(id, StandardCharsets.US_ASCII);
    }

    /// Id of the trace of the client, or empty.
    public String traceText() {
        return parent == null ? "" : parent.traceId();
    }

    /// The span of a client that a request is a part of, as its header `traceparent` names it (W3C Trace Context, level
    /// 1).
    ///
    /// @param traceHigh first half of the id of the trace
    /// @param traceLow the other half
    /// @param span id of the span
    /// @param flags of version 00; those that are not known stay as they are
    public record TraceParent(long traceHigh, long traceLow, long span, int flags) {

        private static final int SAMPLED = 1;

        /// Whether the client may have recorded its span.
        public boolean isSampled() {
            return (flags & SAMPLED) != 0;
        }

        /// 32 hexadecimal digits.
        public String traceId() {
            HexFormat hex = HexFormat.of();
            return hex.toHexDigits(traceHigh) + hex.toHexDigits(traceLow);
        }

        /// 16 hexadecimal digits.
        public String spanId() {
            return HexFormat.of().toHexDigits(span);
        }
    }
}
