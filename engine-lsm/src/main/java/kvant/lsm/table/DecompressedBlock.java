package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.lsm.cache.Cached;

/// The content of a compressed data block, as it is searched.
final class DecompressedBlock extends Cached {

    /// In place of a block that is not in memory.
    static final DecompressedBlock NOT_RESIDENT = new DecompressedBlock(new byte[0]);

    DecompressedBlock(byte[] content) {
        this(MemorySegment.ofArray(content).asReadOnly(), 0, content.length);
    }

    private DecompressedBlock(MemorySegment memory, long offset, int bytes) {
        super(memory, offset, bytes, null);
    }

    @Override
    protected DecompressedBlock at(MemorySegment place, long placeOffset) {
        return new DecompressedBlock(place, placeOffset, bytes());
    }
}
