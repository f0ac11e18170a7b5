package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import org.jspecify.annotations.Nullable;

/// A parser of request heads, line by line, from a buffer that grows.
///
///     START_LINE --request line--> HEADERS --empty line--> complete
///         (an error at any point leaves the parser unusable)
///
/// Takes whole lines only, and leaves an incomplete one in the buffer. Strict where leniency has been an attack:
/// every line is checked by the grammar of RFC 9112 alone.
final class HeadParser {

    /// The state of the head after a read.
    enum Result {
        /// The head is not complete.
        MORE,
        /// [#head] is complete, and can be trusted; it may hold a refusal.
        COMPLETE,
        /// See [#problem].
        FAILED
    }

    /// A client may send an empty line after a body, as old ones do (RFC 9112, section 2.2); but not for
    /// ever.
    private static final int MAX_EMPTY_LINES = 8;

    private static final int VERSION_BYTES = 8;
    private static final long HTTP_1_1 = 0x485454502f312e31L;
    private static final long HTTP_1_0 = 0x485454502f312e30L;
    private static final long HTTP_ANY = 0x485454502f000000L;

    // Constant.
    private final HttpLimits limits;
    private final TargetParser target;
    private final RequestHead head = new RequestHead();
    private final Lines lines = new Lines();

    // Of the head being read.
    private boolean inHeaders;
    private int emptyLines;
    private int headerBytes;
    private int headers;
    private @Nullable Problem problem;

    HeadParser(HttpLimits limits, TargetParser target) {
        this.limits = limits;
        this.target = target;
    }

    RequestHead head() {
        return head;
    }

    /// Why parsing failed.
    Problem problem() {
        return problem == null ? Problem.MALFORMED : problem;
    }

    /// Whether a request line has been read and its headers are awaited.
    boolean inHeaders() {
        return inHeaders;
    }

    /// The number of header lines read.
    int headers() {
        return headers;
    }

    /// Gets ready for the next request.
    void reset() {
        head.reset();
        inHeaders = false;
        emptyLines = 0;
        headerBytes = 0;
        headers = 0;
    }

    Result parse(ByteBuf in) {
        while (true) {
            int max = inHeaders ? limits.maxHeaderBytes() - headerBytes : limits.maxRequestLineBytes();
            int start = in.readerIndex();
            int end = lines.find(in, max);
            if (end == Lines.MORE) {
                return Result.MORE;
            }
            if (end < 0) {
                Problem tooLong = inHeaders ? Problem.HEADERS_TOO_LARGE : Problem.LINE_TOO_LONG;
                return failed(end == Lines.TOO_LONG ? tooLong : Problem.MALFORMED);
            }
            Lines.skip(in, end);
            Problem wrong;
            if (!inHeaders) {
                wrong = end == start ? emptyLine() : requestLine(in, start, end);
            } else if (end > start) {
                wrong = headerLine(in, start, end);
            } else {
                target.checks().cors().judge(head);
                wrong = head.conclude(limits.maxBodyBytes());
                if (wrong != null) {
                    return failed(wrong);
                }
                target.checks().tokens().judge(head);
                return Result.COMPLETE;
            }
            if (wrong != null) {
                return failed(wrong);
            }
        }
    }

    private Result failed(Problem reason) {
        problem = reason;
        return Result.FAILED;
    }

    private @Nullable Problem emptyLine() {
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
}
