package kvant.lsm.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// The memory of the cache in chunks of one size, outside the heap: taken from the system when it is first
/// needed, kept until the end. Guarded by the cache's lock.
final class ChunkPool implements AutoCloseable {

    /// The number of chunks: with this many, one that is being emptied is a small part.
    private static final int CHUNKS = 32;

    private static final long LARGEST_CHUNK_BYTES = 2 << 20;
    private static final long SMALLEST_CHUNK_BYTES = 4 << 10;
    private static final int ALIGNMENT = 64;

    /// The least number of chunks: with fewer there would be no room besides the free ones.
    private static final int FEWEST_CHUNKS = 8;

    private final Arena arena = Arena.ofShared();
    private final long chunkBytes;
    private final int count;
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private int allocated;

    ChunkPool(long capacityBytes) {
        this.chunkBytes = Math.clamp(capacityBytes / CHUNKS, SMALLEST_CHUNK_BYTES, LARGEST_CHUNK_BYTES);
        long fitting = Math.min(Integer.MAX_VALUE, capacityBytes / chunkBytes);
        this.count = fitting < FEWEST_CHUNKS ? 0 : (int) fitting;
    }

    int count() {
        return count;
    }

    long chunkBytes() {
        return count == 0 ? 0 : chunkBytes;
    }

    /// The number of chunks that can be taken.
    int available() {
        return free.size() + count - allocated;
    }

    /// Memory that the system has given.
    long allocatedBytes() {
        return allocated * chunkBytes;
    }

    /// Takes one that is available.
    Chunk take() {
        if (free.isEmpty()) {
            free.addLast(arena.allocate(chunkBytes, ALIGNMENT));
            allocated++;
        }
        return new Chunk(free.removeLast());
    }

    /// @param memory that [Chunk#retire] returned
    void giveBack(MemorySegment memory) {
        free.addLast(memory);
    }

    /// Frees all chunks, which no thread reads any more.
    @Override
    public void close() {
        arena.close();
    }
}
