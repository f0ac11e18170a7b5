package kvant.lsm.table;

import java.lang.foreign.MemorySegment;

/// Which blocks of a mapped file are in memory, as the kernel says (`mincore`). The call costs several times as much
/// as reading the block, so its result is reused for about a second: the kernel evicts recently used pages last. See
/// docs/decisions/0017-block-access.md.
///
/// Any thread may ask. Threads may overwrite each other's marks: then the kernel is asked once more.
final class Residency {

    /// How long a tick of the clock is: 2^30 ns.
    private static final int TICK_SHIFT = 30;

    /// Set in each tick, so that none is the 0 of a block that was never seen.
    private static final int TICK_MARK = 0x8000;

    private final MemorySegment file;

    /// The low bits of the tick in which each block was last seen.
    private final short[] seen;

    Residency(MemorySegment file, int blocks) {
        this.file = file;
        this.seen = new short[file.isMapped() ? blocks : 0];
    }

    boolean isResident(int block, long offset, long length) {
        if (!file.isMapped()) {
            return true;
        }
        short now = tick();
        if (seen[block] == now) {
            return true;
        }
        if (!file.asSlice(offset, length).isLoaded()) {
            return false;
        }
        seen[block] = now;
        return true;
    }

    private static short tick() {
        return (short) (System.nanoTime() >>> TICK_SHIFT | TICK_MARK);
    }
}
