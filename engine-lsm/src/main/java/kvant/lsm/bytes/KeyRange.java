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
}
