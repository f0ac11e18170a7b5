package kvant.lsm.memtable;

/// The sizes of a memtable's arrays.
///
/// G1 (JEP 248) copies the objects of a young heap until they are old: of 32 MiB of memtables it copied most, in
/// pauses of tens of milliseconds. Arrays that are larger than half a region are never copied. So the arrays of a
/// large memtable fill a region of 1 MiB each, which is the size of regions in heaps of up to 4 GiB.
enum SlabSize {
    /// One array that fills a region of 1 MiB.
    REGION((1 << 20) - SlabSize.ARRAY_HEADER_BYTES),

    /// For a memtable that would be made of a few arrays otherwise, most of the last one empty.
    SMALL(128 << 10),

    /// For a memtable that would be full with its first arrays.
    TINY(4 << 10);

    private static final int ARRAY_HEADER_BYTES = 16;
    private static final long SMALLEST_WITH_REGIONS = 16 << 20;
    private static final long SMALLEST_WITH_SMALL = 2 << 20;

    private final int bytes;

    SlabSize(int bytes) {
        this.bytes = bytes;
    }

    /// @param memtableBytes about how much the memtable will hold
    static SlabSize of(long memtableBytes) {
        if (memtableBytes < SMALLEST_WITH_SMALL) {
            return TINY;
        }
        return memtableBytes < SMALLEST_WITH_REGIONS ? SMALL : REGION;
    }

    int bytes() {
        return bytes;
    }

    int longs() {
        return bytes / Long.BYTES;
    }
}
