package kvant.move.copy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A key range whose records differ between source and target.
///
/// @param number of the range, from 1
/// @param firstKey first key of the range
/// @param lastKey last key of the range, inclusive
/// @param source readable summary of the source's records
/// @param target readable summary of the target's records
/// @param missing number of records that only the source has
/// @param extra number of records that only the target has
/// @param different number of keys whose value or expiry differs
/// @param key the first that differs
/// @param what kind of that difference: `missing`, `extra`, `different value` or `different life time`
public record RangeDifference(
        int number,
        byte[] firstKey,
        byte[] lastKey,
        String source,
        String target,
        long missing,
        long extra,
        long different,
        byte[] key,
        String what) {

    private static final int SHOWN_BYTES = 40;

    /// One line.
    @Override
    public String toString() {
        return "range " + number + " (" + text(firstKey) + " to " + text(lastKey) + "): source " + source + ", target "
                + target + "; " + missing + " missing, " + extra + " extra, " + different + " different; the first is "
                + text(key) + ": " + what;
    }

    /// A readable form of a key: text if printable, otherwise hexadecimal. A long key is truncated.
    public static String text(byte[] key) {
        int length = Math.min(key.length, SHOWN_BYTES);
        boolean readable = true;
        for (int i = 0; i < length; i++) {
            readable &= key[i] > ' ' && key[i] < 0x7F;
        }
        String more = key.length > length ? "..." : "";
        return readable
                ? "'" + new String(key, 0, length, StandardCharsets.US_ASCII) + more + "'"
                : "0x" + HexFormat.of().formatHex(key, 0, length) + more;
    }
}
