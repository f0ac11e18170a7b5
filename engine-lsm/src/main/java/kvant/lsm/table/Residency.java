package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

/// The parts of a mapped file that are in memory, as reported by the kernel (`mincore`). The call costs several times
/// as much as reading a block, so its result is reused for about a second: the kernel evicts recently used pages
/// last. See docs/dev/decisions/0017-block-access.md.
///
/// Any thread may ask.
/// @param file mapped
/// @param tableId of the file
/// @param marks of all tables of a store
record Residency(MemorySegment file, long tableId, Marks marks) {

    /// The parts seen in memory during the last seconds, for all tables of a store: as many as are asked for in a
    /// second. A part that takes another's place costs one more call of the kernel, and so does a thread that
    /// overwrites another's mark.
    static final class Marks {

        private static final int COUNT = 1 << 17;
        private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(COUNT);
        private static final long MIX = 0x9E37_79B9_7F4A_7C15L; // 2^64 / golden ratio (Knuth, volume 3, 6.4)

        /// The tick in which a part was last seen not to be in memory. Threads may overwrite each other's.
        private long missing = -2;

        /// The tick in which a reader that may wait asked last.
        private long asked = -1;

        /// The upper half tells parts with the same place from one another, the lower is the tick.
        private final int[] seen = new int[COUNT];

        private static int mixed(long tableId, long offset) {
            return (int) ((tableId ^ offset) * MIX >>> Integer.SIZE);
        }

        boolean seen(long tableId, long offset, short now) {
            int mixed = mixed(tableId, offset);
            return seen[mixed >>> SHIFT] == mark(mixed, now);
        }

        void mark(long tableId, long offset, short now) {
            int mixed = mixed(tableId, offset);
            seen[mixed >>> SHIFT] = mark(mixed, now);
        }

        private static int mark(int mixed, short now) {
            return mixed << Short.SIZE | Short.toUnsignedInt(now);
        }
    }

    /// The share of readers that ask, one in this many, where nothing has been missing lately.
    private static final int EVERY = 16;

    /// Duration of a tick of the clock: 2^30 ns.
    private static final int TICK_SHIFT = 30;

    /// Set in each tick, so that none is the 0 of a part that was never seen.
    private static final int TICK_MARK = 0x8000;

    boolean isResident(long offset, long length) {
        if (!file.isMapped()) {
            return true;
        }
        long tick = tick();
        short now = (short) (tick | TICK_MARK);
        if (marks.seen(tableId, offset, now)) {
            return true;
        }
        if (!file.asSlice(offset, length).isLoaded()) {
            marks.missing = tick;
            return false;
        }
        marks.mark(tableId, offset, now);
        return true;
    }

    /// Whether a reader that may wait should ask the kernel. While parts of the store are found missing, in this
    /// second or the last one, every reader should. Otherwise only the first of a second and a random few should:
    /// the answer would nearly always be the same.
    boolean isWorthAsking() {
        long now = tick();
        if (now - marks.missing > 1 && now == marks.asked) {
            return (ThreadLocalRandom.current().nextInt() & EVERY - 1) == 0;
        }
        marks.asked = now;
        return true;
    }

    private static long tick() {
        return System.nanoTime() >>> TICK_SHIFT;
    }
}
