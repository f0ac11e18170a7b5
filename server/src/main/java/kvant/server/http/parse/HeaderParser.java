package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.http.parse.TargetParser.HeadChecks;
import kvant.server.request.Precondition;
import org.jspecify.annotations.Nullable;

/// Reads one header line (RFC 9112, section 5) into a [RequestHead].
///
/// Every line is checked for its syntax; few of them mean something here.
final class HeaderParser {

    /// The headers that mean something.
    private enum Header {
        HOST("host"),
        RANGE("range"),
        ACCEPT("accept"),
        ORIGIN("origin"),
        EXPECT("expect"),
        IF_RANGE("if-range"),
        IF_MATCH("if-match"),
        CONNECTION("connection"),
        TRACE_PARENT("traceparent"),
        CONTENT_TYPE("content-type"),
        REQUEST_ID("x-request-id"),
        AUTHORIZATION("authorization"),
        IF_NONE_MATCH("if-none-match"),
        CONTENT_RANGE("content-range"),
        LAST_EVENT_ID("last-event-id"),
        CONTENT_LENGTH("content-length"),
        FETCH_SITE("sec-fetch-site"),
        CONTENT_ENCODING("content-encoding"),
        TRANSFER_ENCODING("transfer-encoding"),
        DEADLINE("kvant-deadline-millis"),
        REQUESTED_METHOD("access-control-request-method");

        private static final Header[][] BY_LENGTH = byLength();

        private final byte[] word;

        Header(String word) {
            this.word = ascii(word);
        }

        private static Header[][] byLength() {
            Header[][] all = new Header[REQUESTED_METHOD.word.length + 1][0];
            for (Header each : values()) {
                Header[] others = all[each.word.length];
                all[each.word.length] = Arrays.copyOf(others, others.length + 1);
                all[each.word.length][others.length] = each;
            }
            return all;
        }

        /// Finds a header by its name; names are compared by their length first.
        static @Nullable Header of(ByteBuf in, int start, int end) {
            if (end - start < BY_LENGTH.length) {
                for (Header each : BY_LENGTH[end - start]) {
                    if (Bytes.equalsIgnoreCase(in, start, end, each.word)) {
                        return each;
                    }
                }
            }
            return null;
        }
    }

    private static final byte[] CLOSE = ascii("close");
    private static final byte[] KEEP_ALIVE = ascii("keep-alive");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] IDENTITY = ascii("identity");
    private static final byte[] CONTINUE = ascii("100-continue");
    private static final byte[] NDJSON = ascii("application/x-ndjson");
    private static final byte[] HTML = ascii("text/html");
    private static final byte[] EVENTS = ascii("text/event-stream");
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
        Header header = Header.of(in, start, colon);
        if (header == null) {
            return null;
        }
        return switch (header) {
            case HOST -> host(in, from, to, head, checks.hosts());
            case CONTENT_LENGTH -> contentLength(in, from, to, head);
            case TRANSFER_ENCODING -> transferEncoding(in, from, to, head);
            default -> {
                read(header, in, from, to, head, checks);
                yield null;
            }
        };
    }

    /// Reads a header that leaves the connection usable, even when its value is wrong.
    private static void read(Header header, ByteBuf in, int from, int to, RequestHead head, HeadChecks checks) {
        switch (header) {
            case RANGE -> {
                head.ranges++;
                head.range = ByteRange.parse(in, from, to);
            }
            case ACCEPT -> accept(in, from, to, head);
            case ORIGIN -> checks.origins().origin(in, from, to, head);
            case EXPECT -> expect(in, from, to, head);
            case IF_RANGE -> head.ifRange = EntityTags.ifRange(in, from, to);
            case IF_MATCH ->
                head.ifMatch =
                        required(head, EntityTags.joined(head.ifMatch, EntityTags.precondition(in, from, to, false)));
            case IF_NONE_MATCH -> ifNoneMatch(in, from, to, head);
            case CONNECTION -> {
                head.connectionClose |= names(in, from, to, CLOSE);
                head.connectionKeepAlive |= names(in, from, to, KEEP_ALIVE);
            }
            case TRACE_PARENT -> TraceHeaders.parent(in, from, to, head);
            case REQUEST_ID -> TraceHeaders.requestId(in, from, to, head);
            case CONTENT_TYPE -> contentType(in, from, to, head);
            case AUTHORIZATION -> checks.tokens().read(in, from, to, head);
            case CONTENT_RANGE -> {
                if (head.takesBody()) {
                    head.refuse(Problem.PARTIAL_WRITE); // to store the part as the whole would lose the rest
                }
            }
            case LAST_EVENT_ID -> lastEvent(in, from, to, head);
            case FETCH_SITE -> head.crossSite |= CrossSite.isForeignSite(in, from, to);
            case CONTENT_ENCODING -> contentEncoding(in, from, to, head);
            case DEADLINE -> deadline(in, from, to, head);
            case REQUESTED_METHOD -> head.requestedMethod = true;
            case HOST, CONTENT_LENGTH, TRANSFER_ENCODING -> throw new IllegalStateException("read before");
        }
    }

    private static @Nullable Problem host(ByteBuf in, int from, int to, RequestHead head, HostCheck hosts) {
        head.hosts++;
        return hosts.check(in, from, to, head);
    }

    private static @Nullable Problem contentLength(ByteBuf in, int from, int to, RequestHead head) {
        long length = Bytes.decimal(in, from, to);
        if (length == Bytes.NOT_A_NUMBER || head.contentLength != RequestHead.NO_LENGTH) {
            return Problem.AMBIGUOUS_FRAMING; // even if both are equal
        }
        head.contentLength = length;
        return null;
    }

    private static @Nullable Problem transferEncoding(ByteBuf in, int from, int to, RequestHead head) {
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

    private static void accept(ByteBuf in, int from, int to, RequestHead head) {
        head.ndjson |= names(in, from, to, NDJSON);
        head.eventStream |= head.route == Route.CHANGES && names(in, from, to, EVENTS);
        head.html |= head.otherwise != null && names(in, from, to, HTML);
        if (head.route == Route.METRICS || head.route == Route.SLOW) {
            head.accept = in.toString(from, to - from, StandardCharsets.US_ASCII);
        }
    }

    private static void expect(ByteBuf in, int from, int to, RequestHead head) {
        if (!head.http10 && from < to) {
            if (Bytes.equalsIgnoreCase(in, from, to, CONTINUE)) {
                head.expectContinue = true;
            } else {
                head.expectOther = true;
            }
        }
    }

    /// The media type without its parameters; a second one makes it none.
    private static void contentType(ByteBuf in, int from, int to, RequestHead head) {
        if (head.route == Route.BATCH) {
            int end = Bytes.trimBlanks(in, from, Bytes.find(in, from, to, (byte) ';'));
            head.batchType = ++head.types == 1 && Bytes.equalsIgnoreCase(in, from, end, BATCH);
        }
    }

    private static void ifNoneMatch(ByteBuf in, int from, int to, RequestHead head) {
        if (head.route != Route.CHANGES) {
            head.ifNoneMatch =
                    required(head, EntityTags.joined(head.ifNoneMatch, EntityTags.precondition(in, from, to, true)));
        }
    }

    private static @Nullable Precondition required(RequestHead head, @Nullable Precondition parsed) {
        if (parsed == null) {
            head.refuse(Problem.BAD_PRECONDITION);
        }
        return parsed;
    }

    /// A coding would have to be kept with the value: without its name its bytes are of no use.
    private static void contentEncoding(ByteBuf in, int from, int to, RequestHead head) {
        if (!head.takesBody()) {
            return;
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
    }

    /// The last event's id, which a browser sends when it reconnects: it takes precedence over the one in the URL.
    private static void lastEvent(ByteBuf in, int from, int to, RequestHead head) {
        if (head.route == Route.CHANGES && from < to) {
            head.from = Bytes.decimal(in, from, to);
            if (head.from == Bytes.NOT_A_NUMBER) {
                head.refuse(Problem.BAD_FROM);
            }
        }
    }

    private static void deadline(ByteBuf in, int from, int to, RequestHead head) {
        long millis = Bytes.decimal(in, from, to);
        if (millis <= 0 || head.deadlineMillis != 0) {
            head.refuse(Problem.BAD_DEADLINE);
        }
        head.deadlineMillis = millis;
    }

    /// Whether a list names a word, such as a type among media ranges, other than with a weight of 0.
    private static boolean names(ByteBuf in, int from, int to, byte[] type) {
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

    /// `If-Match` and `If-None-Match` (RFC 9110, section 13.1): `*`, or a list of entity tags.
    ///
    /// A tag of this node is a version in plain decimal digits. Any other tag is valid, and matches nothing.
    /// `If-Match` compares strongly, so that a weak tag matches nothing either; `If-None-Match`
    /// compares weakly.
    private static final class EntityTags {

        private static final int MAX_TAGS = 64;

        private EntityTags() {}

        /// @param none whether it is of `If-None-Match`
        /// @return null when the value is malformed
        static @Nullable Precondition precondition(ByteBuf in, int from, int to, boolean none) {
            if (isStar(in, from, to)) {
                return none ? Precondition.Plain.ABSENT : Precondition.Plain.PRESENT;
            }
            long[] versions = versions(in, from, to, none);
            return versions == null
                    ? null
                    : none ? new Precondition.VersionNotIn(versions) : new Precondition.VersionIn(versions);
        }

        /// Two lines of one header are one list (RFC 9110, section 5.3).
        ///
        /// @param before of an earlier line, or null where there was none
        /// @return null where that makes no list, or too long a one
        static @Nullable Precondition joined(@Nullable Precondition before, @Nullable Precondition next) {
            if (before == null) {
                return next;
            }
            return switch (next) {
                case Precondition.VersionIn(long[] more)
                when before instanceof Precondition.VersionIn(long[] versions) ->
                    versions.length + more.length > MAX_TAGS
                            ? null
                            : new Precondition.VersionIn(joined(versions, more));
                case Precondition.VersionNotIn(long[] more)
                when before instanceof Precondition.VersionNotIn(long[] versions) ->
                    versions.length + more.length > MAX_TAGS
                            ? null
                            : new Precondition.VersionNotIn(joined(versions, more));
                case null, default -> null;
            };
        }

        private static long[] joined(long[] versions, long[] more) {
            long[] all = Arrays.copyOf(versions, versions.length + more.length);
            System.arraycopy(more, 0, all, versions.length, more.length);
            return all;
        }

        /// The version that `If-Range` names; it compares strongly, and a date is no version of ours.
        static long ifRange(ByteBuf in, int from, int to) {
            long[] versions = versions(in, from, to, false);
            return versions == null || versions.length != 1 ? ByteRange.NO_VERSION : versions[0];
        }

        private static boolean isStar(ByteBuf in, int from, int to) {
            return to == from + 1 && in.getByte(from) == '*';
        }

        /// @return versions of those tags that this node may have given, or null
        private static long @Nullable [] versions(ByteBuf in, int from, int to, boolean takeWeak) {
            long[] versions = new long[1];
            int count = 0;
            int tags = 0;
            int at = skipEmpty(in, from, to);
            while (at < to || tags == 0) {
                boolean weak = to - at > 2 && in.getByte(at) == 'W' && in.getByte(at + 1) == '/';
                int open = weak ? at + 2 : at;
                int close = open < to && in.getByte(open) == '"' ? Bytes.find(in, open + 1, to, (byte) '"') : to;
                if (close == to || ++tags > MAX_TAGS || hasBlank(in, open + 1, close)) {
                    return null;
                }
                long version = versionOf(in, open + 1, close);
                if (version != Bytes.NOT_A_NUMBER && (takeWeak || !weak)) {
                    versions = count == versions.length ? Arrays.copyOf(versions, count * 2) : versions;
                    versions[count++] = version;
                }
                at = Bytes.skipBlanks(in, close + 1, to);
                if (at < to && in.getByte(at) != ',') {
                    return null;
                }
                at = skipEmpty(in, at, to);
            }
            return Arrays.copyOf(versions, count);
        }

        /// Elements of a list that are empty are none (RFC 9110, section 5.6.1).
        private static int skipEmpty(ByteBuf in, int from, int to) {
            int at = Bytes.skipBlanks(in, from, to);
            while (at < to && in.getByte(at) == ',') {
                at = Bytes.skipBlanks(in, at + 1, to);
            }
            return at;
        }

        private static boolean hasBlank(ByteBuf in, int from, int to) {
            return Bytes.find(in, from, to, Bytes.SP) < to || Bytes.find(in, from, to, Bytes.HTAB) < to;
        }

        /// Accepts only the digits that this node would write: another spelling of the number is another tag.
        private static long versionOf(ByteBuf in, int from, int to) {
            boolean leadingZero = to - from > 1 && in.getByte(from) == '0';
            return leadingZero ? Bytes.NOT_A_NUMBER : Bytes.decimal(in, from, to);
        }
    }
}
