package kvant.move.copy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Compares the two sides of one key range while they are read. Only the checksums over both sides decide; the
/// differences are kept for messages.
final class RangeCheck {

    private static final byte[] NONE = {};

    private final int number;
    private final RangeSum source = new RangeSum();
    private final RangeSum target = new RangeSum();
    private byte @Nullable [] firstKey;
    private byte[] lastKey = NONE;
    private long missing;
    private long extra;
    private long different;
    private long bytes;
    private byte @Nullable [] key;
    private String what = "";

    RangeCheck(int number) {
        this.number = number;
    }

    void onlySource(byte[] missingKey, byte[] value, long end) {
        seen(missingKey, value);
        source.add(missingKey, value, end);
        missing++;
        differs(missingKey, "missing");
    }

    void onlyTarget(byte[] extraKey, byte[] value, long end) {
        seen(extraKey, value);
        target.add(extraKey, value, end);
        extra++;
        differs(extraKey, "extra");
    }

    /// @return whether both records are the same
    boolean onBoth(byte[] bothKey, byte[] value, long end, byte[] otherValue, long otherEnd) {
        seen(bothKey, value);
        source.add(bothKey, value, end);
        target.add(bothKey, otherValue, otherEnd);
        boolean sameValue = Arrays.equals(value, otherValue);
        if (sameValue && end == otherEnd) {
            return true;
        }
        different++;
        differs(bothKey, sameValue ? "different life time" : "different value");
        return false;
    }

    private void seen(byte[] seenKey, byte[] value) {
        if (firstKey == null) {
            firstKey = seenKey;
        }
        lastKey = seenKey;
        bytes += seenKey.length + value.length;
    }

    private void differs(byte[] differingKey, String how) {
        if (key == null) {
            key = differingKey;
            what = how;
        }
    }

    /// The number of records on the larger side.
    long records() {
        return Math.max(source.records(), target.records());
    }

    long bytes() {
        return bytes;
    }

    RangeSum source() {
        return source;
    }

    /// @return null if both sides are the same
    @Nullable
    RangeDifference difference() {
        byte[] first = firstKey;
        if (first == null || source.isSame(target)) {
            return null;
        }
        return new RangeDifference(
                number,
                first,
                lastKey,
                source.toString(),
                target.toString(),
                missing,
                extra,
                different,
                key == null ? first : key,
                what);
    }
}
