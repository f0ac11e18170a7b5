package kvant.server.request;

import java.util.HexFormat;

/// The span of a client that a request is a part of, as its header `traceparent` names it (W3C Trace Context, level 1).
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
