package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.request.Precondition;
import org.jspecify.annotations.Nullable;

/// Reads one header line (RFC 9112, section 5) into a [RequestHead].
///
/// Every line is checked for its syntax; the few that mean something here are told apart by the length of
/// their name first.
final class HeaderParser {

    private static final byte[] HOST = ascii("host");
    private static final byte[] RANGE = ascii("range");
    private static final byte[] ACCEPT = ascii("accept");
    private static final byte[] ORIGIN = ascii("origin");
    private static final byte[] EXPECT = ascii("expect");
    private static final byte[] IF_RANGE = ascii("if-range");
    private static final byte[] IF_MATCH = ascii("if-match");
    private static final byte[] CONNECTION = ascii("connection");
    private static final byte[] TRACE_PARENT = ascii("traceparent");
    private static final byte[] CONTENT_TYPE = ascii("content-type");
    private static final byte[] REQUEST_ID = ascii("x-request-id");
    private static final byte[] AUTHORIZATION = ascii("authorization");
    private static final byte[] IF_NONE_MATCH = ascii("if-none-match");
    private static final byte[] CONTENT_RANGE = ascii("content-range");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] FETCH_SITE = ascii("sec-fetch-site");
    private static final byte[] CONTENT_ENCODING = ascii("content-encoding");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");

    private static final byte[] REQUESTED_METHOD = ascii("access-control-request-method");

    private static final byte[] DEADLINE = ascii("kvant-deadline-millis");

    private static final byte[] CLOSE = ascii("close");
    private static final byte[] KEEP_ALIVE = ascii("keep-alive");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] IDENTITY = ascii("identity");
    private static final byte[] CONTINUE = ascii("100-continue");
    private static final byte[] NDJSON = ascii("application/x-ndjson");
    private static final byte[] EVENTS = ascii("text/event-stream");
    private static final byte[] LAST_EVENT_ID = ascii("last-event-id");
    private static final byte[] BATCH = ascii("application/vnd.kvant.batch");

    private HeaderParser() {}

    /// Checks the syntax of a header or trailer line.
    ///
    /// @return index of the colon, or a negative number when this is no header line
    static int colonOf(ByteBuf in, int start, int end) {
        int colon = Bytes.find(in, start, end, (byte) ':');
        boolean valid = colon < end && Bytes.isToken(in, start, colon) && Bytes.isFieldValue(in, colon + 1, end);
        return valid ? colon : -1; // a blank before the name (obs-fold) or before the colon is no token either
    }

    /// @return why nothing on this connection can be trusted any more, or null
    static @Nullable Problem parse(ByteBuf in, int start, int end, RequestHead head, HeadChecks checks) {
        int colon = colonOf(in, start, end);
        if (colon < 0) {
            return Problem.MALFORMED;
        }
        int from = Bytes.skipBlanks(in, colon + 1, end);
        int to = Bytes.trimBlanks(in, from, end);
        return switch (colon - start) {
            case 4 -> Bytes.equalsIgnoreCase(in, start, colon, HOST) ? host(in, from, to, head, checks.hosts()) : null;
            case 5 -> range(in, start, colon, from, to, head);
            case 6 -> accept(in, start, colon, from, to, head, checks.cors());
            case 8 -> ifMatch(in, start, colon, from, to, head);
            case 10 -> connection(in, start, colon, from, to, head);
            case 11 -> traceParent(in, start, colon, from, to, head);
            case 12 -> contentType(in, start, colon, from, to, head);
            case 13 ->
                Bytes.equalsIgnoreCase(in, start, colon, AUTHORIZATION)
                        ? checks.tokens().read(in, from, to, head)
                        : head.route == Route.CHANGES
                                ? lastEvent(in, start, colon, from, to, head)
                                : ifNoneMatch(in, start, colon, from, to, head);
            case 14 -> contentLength(in, start, colon, from, to, head);
            case 16 -> contentEncoding(in, start, colon, from, to, head);
            case 21 -> deadline(in, start, colon, from, to, head);
            case 17 -> transferEncoding(in, start, colon, from, to, head);
            case 29 -> requestedMethod(in, start, colon, head);
            default -> null;
        };
    }

    private static @Nullable Problem host(ByteBuf in, int from, int to, RequestHead head, HostCheck hosts) {
        head.hosts++;
        return hosts.check(in, from, to, head);
    }

    private static @Nullable Problem contentLength(
            ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (!Bytes.equalsIgnoreCase(in, start, colon, CONTENT_LENGTH)) {
            if (Bytes.equalsIgnoreCase(in, start, colon, FETCH_SITE)) {
                head.crossSite |= CrossSite.isForeignSite(in, from, to);
            }
            return null;
        }
        long length = Bytes.decimal(in, from, to);
        if (length == Bytes.NOT_A_NUMBER || head.contentLength != RequestHead.NO_LENGTH) {
            return Problem.AMBIGUOUS_FRAMING; // also when two of them agree: whoever sends two is confused
        }
        head.contentLength = length;
        return null;
    }

    private static @Nullable Problem transferEncoding(
            ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (!Bytes.equalsIgnoreCase(in, start, colon, TRANSFER_ENCODING)) {
            return null;
        }
        head.transferEncoding = true;
        int at = from;
        while (at <= to) {
            int comma = Bytes.find(in, at, to, (byte) ',');
            int wordFrom = Bytes.skipBlanks(in, at, comma);
            int wordTo = Bytes.trimBlanks(in, wordFrom, comma);
            if (!Bytes.isToken(in, wordFrom, wordTo)) {
                return Problem.AMBIGUOUS_FRAMING;
            }
            boolean chunked = Bytes.equalsIgnoreCase(in, wordFrom, wordTo, CHUNKED);
            head.codingAfterChunked |= head.chunkedLast;
            head.chunkedLast = chunked;
            head.unknownCoding |= !chunked;
            at = comma + 1;
        }
        return null;
    }

    private static @Nullable Problem connection(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, CONNECTION)) {
            head.connectionClose |= listHas(in, from, to, CLOSE);
            head.connectionKeepAlive |= listHas(in, from, to, KEEP_ALIVE);
        }
        return null;
    }

    private static @Nullable Problem accept(
            ByteBuf in, int start, int colon, int from, int to, RequestHead head, CorsCheck cors) {
        if (Bytes.equalsIgnoreCase(in, start, colon, ACCEPT)) {
            head.ndjson |= accepts(in, from, to, NDJSON);
            head.eventStream |= head.route == Route.CHANGES && accepts(in, from, to, EVENTS);
            if (head.route == Route.METRICS || head.route == Route.SLOW) {
                head.accept = in.toString(from, to - from, StandardCharsets.US_ASCII);
            }
        } else if (Bytes.equalsIgnoreCase(in, start, colon, EXPECT) && !head.http10 && from < to) {
            if (Bytes.equalsIgnoreCase(in, from, to, CONTINUE)) {
                head.expectContinue = true;
            } else {
                head.expectOther = true;
            }
        } else if (Bytes.equalsIgnoreCase(in, start, colon, ORIGIN) && cors.wantsOrigin(head)) {
            cors.origin(in, from, to, head);
        }
        return null;
    }

    private static @Nullable Problem requestedMethod(ByteBuf in, int start, int colon, RequestHead head) {
        head.requestedMethod |= Bytes.equalsIgnoreCase(in, start, colon, REQUESTED_METHOD);
        return null;
    }

    /// The media type without its parameters; a second one makes it none.
    private static @Nullable Problem contentType(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (head.route == Route.BATCH && Bytes.equalsIgnoreCase(in, start, colon, CONTENT_TYPE)) {
            int end = Bytes.trimBlanks(in, from, Bytes.find(in, from, to, (byte) ';'));
            head.batchType = ++head.types == 1 && Bytes.equalsIgnoreCase(in, from, end, BATCH);
        } else if (Bytes.equalsIgnoreCase(in, start, colon, REQUEST_ID)) {
            TraceHeaders.requestId(in, from, to, head);
        }
        return null;
    }

    private static @Nullable Problem traceParent(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, TRACE_PARENT)) {
            TraceHeaders.parent(in, from, to, head);
        }
        return null;
    }

    private static @Nullable Problem range(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, RANGE)) {
            head.ranges++;
            head.range = ByteRange.parse(in, from, to);
        }
        return null;
    }

    private static @Nullable Problem ifMatch(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, IF_MATCH)) {
            Precondition parsed = EntityTags.joined(head.ifMatch, EntityTags.ifMatch(in, from, to));
            if (parsed == null) {
                head.refuse(Problem.BAD_PRECONDITION);
            }
            head.ifMatch = parsed;
        } else if (Bytes.equalsIgnoreCase(in, start, colon, IF_RANGE)) {
            head.ifRange = EntityTags.ifRange(in, from, to);
        }
        return null;
    }

    private static @Nullable Problem ifNoneMatch(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, IF_NONE_MATCH)) {
            Precondition parsed = EntityTags.joined(head.ifNoneMatch, EntityTags.ifNoneMatch(in, from, to));
            if (parsed == null) {
                head.refuse(Problem.BAD_PRECONDITION);
            }
            head.ifNoneMatch = parsed;
        } else if (head.takesBody() && Bytes.equalsIgnoreCase(in, start, colon, CONTENT_RANGE)) {
            head.refuse(Problem.PARTIAL_WRITE); // to store the part as the whole would lose the rest
        }
        return null;
    }

    /// A coding would have to be kept with the value: without its name its bytes are of no use.
    private static @Nullable Problem contentEncoding(
            ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (!head.takesBody() || !Bytes.equalsIgnoreCase(in, start, colon, CONTENT_ENCODING)) {
            return null;
        }
        for (int at = from; at < to; ) {
            int comma = Bytes.find(in, at, to, (byte) ',');
            int wordFrom = Bytes.skipBlanks(in, at, comma);
            int wordTo = Bytes.trimBlanks(in, wordFrom, comma);
            if (wordFrom < wordTo && !Bytes.equalsIgnoreCase(in, wordFrom, wordTo, IDENTITY)) {
                head.refuse(Problem.UNSUPPORTED_CODING);
            }
            at = comma + 1;
        }
        return null;
    }

    /// What a browser sends when it takes up events again: newer than what the address says.
    private static @Nullable Problem lastEvent(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (from < to && Bytes.equalsIgnoreCase(in, start, colon, LAST_EVENT_ID)) {
            head.from = Bytes.decimal(in, from, to);
            if (head.from == Bytes.NOT_A_NUMBER) {
                head.refuse(Problem.BAD_FROM);
            }
        }
        return null;
    }

    private static @Nullable Problem deadline(ByteBuf in, int start, int colon, int from, int to, RequestHead head) {
        if (Bytes.equalsIgnoreCase(in, start, colon, DEADLINE)) {
            long millis = Bytes.decimal(in, from, to);
            if (millis <= 0 || head.deadlineMillis != 0) {
                head.refuse(Problem.BAD_DEADLINE);
            }
            head.deadlineMillis = millis;
        }
        return null;
    }

    private static boolean listHas(ByteBuf in, int from, int to, byte[] word) {
        int at = from;
        while (at < to) {
            int comma = Bytes.find(in, at, to, (byte) ',');
            int wordFrom = Bytes.skipBlanks(in, at, comma);
            if (Bytes.equalsIgnoreCase(in, wordFrom, Bytes.trimBlanks(in, wordFrom, comma), word)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }

    /// Whether a list of media ranges names a type, other than with a weight of 0.
    private static boolean accepts(ByteBuf in, int from, int to, byte[] type) {
        int at = from;
        while (at < to) {
            int comma = Bytes.find(in, at, to, (byte) ',');
            int semicolon = Bytes.find(in, at, comma, (byte) ';');
            int typeFrom = Bytes.skipBlanks(in, at, semicolon);
            int typeTo = Bytes.trimBlanks(in, typeFrom, semicolon);
            if (Bytes.equalsIgnoreCase(in, typeFrom, typeTo, type) && !isUnwanted(in, semicolon + 1, comma)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }

    /// Whether the parameters of a media range hold `q=0`, with any number of decimals that are zero.
    private static boolean isUnwanted(ByteBuf in, int from, int to) {
        int at = from;
        while (at < to) {
            int next = Bytes.find(in, at, to, (byte) ';');
            int name = Bytes.skipBlanks(in, at, next);
            int end = Bytes.trimBlanks(in, name, next);
            if (end - name >= 3 && (in.getByte(name) | 0x20) == 'q' && in.getByte(name + 1) == '=') {
                int i = name + 2;
                while (i < end && (in.getByte(i) == '0' || in.getByte(i) == '.')) {
                    i++;
                }
                return i == end;
            }
            at = next + 1;
        }
        return false;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
