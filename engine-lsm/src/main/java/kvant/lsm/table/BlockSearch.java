package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import kvant.engine.Lookup;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Reading;
import kvant.lsm.record.StoredValue;
import kvant.lsm.record.Tag;
import org.jspecify.annotations.Nullable;

/// Finds one key in one data block, in place: nothing is allocated but the answer.
final class BlockSearch {

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;

    private BlockSearch() {}

    /// @param hash of the key, from [Keys#hash]
    /// @return null when the key is not in the block
    static @Nullable Lookup find(MemorySegment file, long block, int length, byte[] key, long hash, Reading reading) {
        int restarts = BlockDescriptor.restartCount(file, block, length);
        int marks = BlockDescriptor.markCount(file, block, length);
        int end = BlockDescriptor.recordsEnd(length, restarts, marks);
        if (marks == 0) {
            int start = BlockDescriptor.restart(file, block, end, lastRestartNotAfter(file, block, end, restarts, key));
            return findFrom(file, block, start, end, key, reading);
        }
        long marksAt = BlockDescriptor.marks(block, length, marks);
        long wanted = (BlockDescriptor.mark(hash) & 0xFFL) * EACH_BYTE;
        int lastLooked = -1;
        for (int at = 0; at < marks; at += Long.BYTES) {
            // A block's tail is longer than a word, so that a word of marks never lies beyond the block.
            long zeros = zeroBytes(file.get(ByteReader.LONG, marksAt + at) ^ wanted);
            for (; zeros != 0; zeros &= zeros - 1) {
                int record = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
                int restart = record / BlockDescriptor.RESTART_INTERVAL;
                if (record < marks && restart != lastLooked) {
                    lastLooked = restart;
                    int from = BlockDescriptor.restart(file, block, end, restart);
                    int to = restart + 1 < restarts ? BlockDescriptor.restart(file, block, end, restart + 1) : end;
                    Lookup found = findFrom(file, block, from, to, key, reading);
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return null;
    }

    /// The top bit of each byte that is zero, exactly (Warren, Hacker's Delight, 2nd edition, 6-1).
    private static long zeroBytes(long word) {
        return ~((word & LOW_BITS) + LOW_BITS | word | LOW_BITS);
    }

    private static int lastRestartNotAfter(MemorySegment file, long block, int recordsEnd, int restarts, byte[] key) {
        int low = 0;
        int high = restarts - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            int at = BlockDescriptor.restart(file, block, recordsEnd, middle);
            long shared = BlockDescriptor.varint(file, block, at); // 0: this is a restart point
            long unshared = BlockDescriptor.varint(file, block, BlockDescriptor.place(shared));
            long valueLength = BlockDescriptor.varint(file, block, BlockDescriptor.place(unshared));
            long keyAt = block + BlockDescriptor.place(valueLength) + Long.BYTES;
            if (Keys.compare(key, file, keyAt, BlockDescriptor.value(unshared)) < 0) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /// Walks from a restart point. Keys are not put together: it suffices to know how many bytes the wanted
    /// key has in common with the record before. A record that shares more than that with its predecessor is
    /// still too small, one that shares less is already too large, and only one that shares exactly that
    /// needs comparing.
    private static @Nullable Lookup findFrom(
            MemorySegment file, long block, int start, int end, byte[] key, Reading reading) {
        int at = start;
        int matched = 0;
        while (at < end) {
            long shared = BlockDescriptor.varint(file, block, at);
            long unshared = BlockDescriptor.varint(file, block, BlockDescriptor.place(shared));
            long valueLength = BlockDescriptor.varint(file, block, BlockDescriptor.place(unshared));
            int tagAt = BlockDescriptor.place(valueLength);
            int suffixAt = tagAt + Long.BYTES;
            int suffixLength = BlockDescriptor.value(unshared);
            int valueAt = suffixAt + suffixLength;
            Objects.checkFromIndexSize(suffixAt, (long) suffixLength + BlockDescriptor.value(valueLength), end);
            if (BlockDescriptor.value(shared) < matched) {
                return null;
            }
            if (BlockDescriptor.value(shared) == matched) {
                int common = commonBytes(file, block + suffixAt, suffixLength, key, matched);
                boolean recordEnds = common == suffixLength;
                boolean keyEnds = matched + common == key.length;
                if (recordEnds && keyEnds) {
                    long tag = BlockDescriptor.tag(file, block + tagAt);
                    BlockCheck.requireKind(Tag.kind(tag), BlockDescriptor.value(valueLength));
                    return StoredValue.lookup(tag, file, block + valueAt, BlockDescriptor.value(valueLength), reading);
                }
                if (keyEnds || !recordEnds && isAfter(file, block + suffixAt + common, key[matched + common])) {
                    return null;
                }
                matched += common;
            }
            at = valueAt + BlockDescriptor.value(valueLength);
        }
        return null;
    }

    private static int commonBytes(MemorySegment file, long at, int length, byte[] key, int from) {
        int most = Math.min(length, key.length - from);
        int common = 0;
        while (common < most && file.get(ValueLayout.JAVA_BYTE, at + common) == key[from + common]) {
            common++;
        }
        return common;
    }

    private static boolean isAfter(MemorySegment file, long at, byte wanted) {
        return Byte.compareUnsigned(file.get(ValueLayout.JAVA_BYTE, at), wanted) > 0;
    }
}
