package kvant.lsm.bytes;

import java.util.Arrays;

/// The range of some sorted keys, and the part of a key that distinguishes them: the eight bytes behind their
/// common prefix, so that it works for keys like `user:000001` as well as for random ones. Immutable.
public final class KeyRange {

    private final byte[] beginning; // of all of them
    private final int common;

    /// @param smallest of the keys
    /// @param largest of the keys
    public KeyRange(byte[] smallest, byte[] largest) {
        int mismatch = Arrays.mismatch(smallest, largest);
        this.common = mismatch < 0 ? smallest.length : mismatch;
        this.beginning = Arrays.copyOf(smallest, common);
    }

    /// @return 0 when the key begins with the common prefix of the range's keys; else the side of them on which it
    ///     lies
    public int sideOf(byte[] key) {
        if (common == 0) {
            return 0; // as of random keys: a look-up asks this of each run and table
        }
        int mismatch = Arrays.mismatch(key, 0, Math.min(key.length, common), beginning, 0, common);
        if (mismatch < 0) {
            return 0;
        }
        return mismatch == key.length ? -1 : Byte.compareUnsigned(key[mismatch], beginning[mismatch]);
    }

    /// The bytes that distinguish keys whose [#sideOf] is 0, as a number in signed order, which is faster to
    /// compare. Keys with equal fences must be compared.
    public long fence(byte[] key) {
        return Keys.prefix(key, common, key.length - common) + Long.MIN_VALUE;
    }

    /// The first of the sorted keys that is not before a key. A look-up searches them for each run that it
    /// asks. Which half a random key is in cannot be predicted, so the search has no branch on it, only loads
    /// that follow each other.
    ///
    /// @param fences of the sorted keys
    /// @param isBefore compares keys with equal fences, which give no order
    /// @return their number when all are before it
    public int firstNotBefore(long[] fences, byte[] key, IsBefore isBefore) {
        int side = sideOf(key);
        if (side != 0) {
            return side < 0 ? 0 : fences.length;
        }
        long wanted = fence(key);
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
