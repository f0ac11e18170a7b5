package kvant.server.http.contract;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import kvant.server.request.Outcome;
import org.jspecify.annotations.Nullable;

/// A single byte range of a value, requested by a client (RFC 9110, section 14). Any other content of `Range`, such
/// as several ranges, is ignored, as the RFC allows: the answer is then the whole value.
///
/// @param first the first byte, or [#SUFFIX]
/// @param last the last byte, [Long#MAX_VALUE] for the end; of a suffix its number of bytes
/// @param version required version of the value (`If-Range`), or [#ANY_VERSION]; for another version the whole value
///     is sent
public record ByteRange(long first, long last, long version) {

    public static final long ANY_VERSION = -1;

    /// A tag or a date that no value of this node has.
    public static final long NO_VERSION = -2;

    private static final long SUFFIX = -1;
    private static final byte[] UNIT = "bytes=".getBytes(StandardCharsets.US_ASCII);

    /// @return null where it is not one valid range of bytes
    public static @Nullable ByteRange parse(ByteBuf in, int from, int to) {
        int spec = from + UNIT.length;
        if (spec >= to || !Bytes.equalsIgnoreCase(in, from, spec, UNIT)) {
            return null;
        }
        int dash = Bytes.find(in, spec, to, (byte) '-');
        if (dash == to) {
            return null;
        }
        long end = dash + 1 == to ? Long.MAX_VALUE : position(in, dash + 1, to);
        if (dash == spec) {
            return dash + 1 == to || end == Bytes.NOT_A_NUMBER ? null : new ByteRange(SUFFIX, end, ANY_VERSION);
        }
        long begin = position(in, spec, dash);
        boolean valid = begin != Bytes.NOT_A_NUMBER && end != Bytes.NOT_A_NUMBER && begin <= end;
        return valid ? new ByteRange(begin, end, ANY_VERSION) : null;
    }

    /// A number that is larger than any value is a number all the same (RFC 9110, section 8.6).
    private static long position(ByteBuf in, int from, int to) {
        long number = Bytes.decimal(in, from, to);
        return number == Bytes.NOT_A_NUMBER && Bytes.isDigits(in, from, to) ? Long.MAX_VALUE : number;
    }

    /// The same range of a value with this version.
    public ByteRange ifVersion(long wanted) {
        return new ByteRange(first, last, wanted);
    }

    /// Applies the range to an outcome: the requested part, or a refusal where the value has no such part.
    public Outcome of(Outcome outcome) {
        if (!(outcome instanceof Outcome.Found(byte[] value, long found))
                || version != ANY_VERSION && version != found) {
            return outcome;
        }
        if (first == SUFFIX ? last == 0 : first >= value.length) {
            return new Outcome.Unsatisfiable(value.length);
        }
        if (value.length == 0) {
            return outcome; // its last bytes are all of it, and `Content-Range` has no way to say so
        }
        long from = first == SUFFIX ? Math.max(0, value.length - last) : first;
        int to =
                first == SUFFIX ? value.length : (int) Math.min(value.length, last == Long.MAX_VALUE ? last : last + 1);
        return new Outcome.Part(value, (int) from, to, found);
    }
}
