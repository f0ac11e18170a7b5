package kvant.lsm.bytes;

/// Searches sorted fences, see [KeyRange#fence], as a look-up does for each run that it asks. Which half a
/// random key is in cannot be predicted, so the search has no branch on it, only loads that follow each other.
public final class Fences {

    private Fences() {}

    /// The first of some sorted keys that is not before a key.
    ///
    /// @param range of the sorted keys
    /// @param fences of the sorted keys
    /// @param isBefore compares keys with equal fences, which give no order
    /// @return their number when all are before it
    public static int firstNotBefore(KeyRange range, long[] fences, byte[] key, IsBefore isBefore) {
        int side = range.sideOf(key);
        if (side != 0) {
            return side < 0 ? 0 : fences.length;
        }
        long wanted = range.fence(key);
        int first = firstNotBelow(fences, wanted);
        return first == fences.length || fences[first] != wanted
                ? first
                : firstNotBefore(fences, wanted, first, key, isBefore);
    }

    /// The first fence that is not smaller.
    ///
    /// @return their number when all are smaller
    private static int firstNotBelow(long[] fences, long wanted) {
        if (fences.length == 0) {
            return 0;
        }
        int base = 0;
        for (int left = fences.length; left > 1; ) {
            int half = left >>> 1;
            base += fences[base + half - 1] < wanted ? half : 0;
            left -= half;
        }
        return base + (fences[base] < wanted ? 1 : 0);
    }

    private static int firstNotBefore(long[] fences, long wanted, int first, byte[] key, IsBefore isBefore) {
        int low = first;
        int high = low;
        while (high < fences.length && fences[high] == wanted) {
            high++;
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBefore.test(middle, key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Whether one of the sorted keys, by its number, is before a key.
    @FunctionalInterface
    public interface IsBefore {
        boolean test(int number, byte[] key);
    }
}
