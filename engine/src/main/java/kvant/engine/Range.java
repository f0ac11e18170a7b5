package kvant.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The range of a scan: the first `limit` records whose keys lie in `[from, to)`. A range whose end is not beyond its
/// start is empty.
///
/// Two ranges are equal when they hold the same bytes. The arrays are shared, never to be changed.
///
/// @param from first key, inclusive; the empty array is the start of the store
/// @param to end, exclusive, or null for the end of the store
/// @param limit most records, 0 or more; [#UNLIMITED] for all
public record Range(byte[] from, byte @Nullable [] to, long limit) {

    /// A limit beyond every number of records.
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final byte[] START = {};
    private static final byte LARGEST_BYTE = (byte) 0xFF;

    public Range {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit of " + limit + " records; it is at least 0");
        }
    }

    /// The whole store.
    public static Range all() {
        return new Range(START, null, UNLIMITED);
    }

    public static Range of(byte[] from, byte @Nullable [] to) {
        return new Range(from, to, UNLIMITED);
    }

    /// The keys that begin with a prefix, which is one of them. The empty prefix is that of all keys.
    public static Range prefix(byte[] prefix) {
        return new Range(prefix, endOf(prefix), UNLIMITED);
    }

    /// The same keys, but not more records than this.
    public Range limit(long records) {
        return new Range(from, to, records);
    }

    /// The least key beyond all that begin with a prefix: bytes that cannot be larger are cut off its end, and
    /// the last one that is left is made larger by one.
    ///
    /// @return null when no key is beyond them
    private static byte @Nullable [] endOf(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == LARGEST_BYTE) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        byte[] end = Arrays.copyOf(prefix, length);
        end[length - 1]++;
        return end;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Range range
                && limit == range.limit
                && Arrays.equals(from, range.from)
                && Arrays.equals(to, range.to);
    }

    @Override
    public int hashCode() {
        return (31 * Arrays.hashCode(from) + Arrays.hashCode(to)) * 31 + Long.hashCode(limit);
    }
}
