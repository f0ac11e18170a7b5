package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.Bytes;
import kvant.server.request.Precondition;
import org.jspecify.annotations.Nullable;

/// `If-Match` and `If-None-Match` (RFC 9110, section 13.1): `*`, or a list of entity tags.
///
/// A tag of this node is a version in plain decimal digits. Any other tag is valid, and matches nothing.
/// `If-Match` compares strongly, so that a weak tag matches nothing either; `If-None-Match`
/// compares weakly.
final class EntityTags {

    private static final int MAX_TAGS = 64;

    private EntityTags() {}

    /// @return null when the value is malformed
    static @Nullable Precondition ifMatch(ByteBuf in, int from, int to) {
        if (isStar(in, from, to)) {
            return Precondition.Plain.PRESENT;
        }
        long[] versions = versions(in, from, to, false);
        return versions == null ? null : new Precondition.VersionIn(versions);
    }

    /// @return null when the value is malformed
    static @Nullable Precondition ifNoneMatch(ByteBuf in, int from, int to) {
        if (isStar(in, from, to)) {
            return Precondition.Plain.ABSENT;
        }
        long[] versions = versions(in, from, to, true);
        return versions == null ? null : new Precondition.VersionNotIn(versions);
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
                versions.length + more.length > MAX_TAGS ? null : new Precondition.VersionIn(joined(versions, more));
            case Precondition.VersionNotIn(long[] more)
            when before instanceof Precondition.VersionNotIn(long[] versions) ->
                versions.length + more.length > MAX_TAGS ? null : new Precondition.VersionNotIn(joined(versions, more));
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
