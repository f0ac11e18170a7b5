package kvant.lsm.bytes;

/// Searches sorted fences, see [KeyRange#fence], as a look-up does for each run that it asks. Which half a
/// random key is in cannot be predicted, so the search has no branch on it, only loads that follow each other.
public final class Fences {

    private Fences() {}

    /// The first of them that is not smaller.
    ///
    /// @return their number when all are smaller
    public static int firstNotBelow(long[] fences, long wanted) {
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

    /// Among the fences equal to the wanted one, the first whose key is not before the wanted key.
    ///
    /// @param first from [#firstNotBelow]
    /// @param isBefore whether the key of a fence is before the wanted one
    /// @return the first fence behind them when all keys are before
    public static int firstNotBefore(long[] fences, long wanted, int first, IsBefore isBefore) {
        int low = first;
        int high = low;
        while (high < fences.length && fences[high] == wanted) {
            high++;
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBefore.test(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Whether the key of a fence is before the wanted one.
    @FunctionalInterface
    public interface IsBefore {
        boolean test(int fence);
    }
}
