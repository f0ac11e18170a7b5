package kvant.lsm.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import kvant.lsm.bytes.UnpinnedMemory;
import org.jspecify.annotations.Nullable;

/// A piece of the cache's memory from when it is taken until it is given back, filled front to back. Its
/// entries are read without a lock; all else is guarded by the cache's.
@SuppressWarnings("restricted") // memory with a life of its own
final class Chunk {

    private static final int ALIGNMENT = 64; // a cache line, which a line of a filter is too

    private final MemorySegment base;
    private final Arena life = Arena.ofShared();
    private final MemorySegment memory; // the same bytes, as long as this chunk lives
    private final List<Cached> entries = new ArrayList<>();
    private long used;

    Chunk(MemorySegment base) {
        this.base = base;
        this.memory = base.reinterpret(life, null);
    }

    boolean hasRoom(int bytes) {
        return used + bytes <= memory.byteSize();
    }

    /// Copies an entry to the end.
    Cached add(Cached entry) {
        MemorySegment.copy(entry.memory(), entry.offset(), memory, used, entry.bytes());
        Cached added = entry.at(memory, used);
        used += (entry.bytes() + ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
        entries.add(added);
        return added;
    }

    List<Cached> entries() {
        return entries;
    }

    long used() {
        return used;
    }

    /// Makes its entries unreadable. Waits until every thread has noticed, which takes longer than a request: called
    /// without the lock, and by no thread that answers requests.
    ///
    /// @return the memory, which no thread reads any more
    MemorySegment retire() {
        while (!UnpinnedMemory.tryClose(life)) {
            Thread.onSpinWait(); // one of them is being copied just now
        }
        return base;
    }

    /// Entries in the order in which they came, in chunks: the newest is filled, the oldest leaves with all that
    /// is in it. Guarded by the cache's lock.
    static final class Queue {

        private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
        private int entries;

        /// @param more gives another chunk, or null
        /// @return the entry in its new place; null without room for it
        @Nullable
        Cached add(Cached entry, Supplier<@Nullable Chunk> more) {
            Chunk newest = chunks.peekLast();
            if (newest == null || !newest.hasRoom(entry.bytes())) {
                newest = more.get();
                if (newest == null) {
                    return null;
                }
                chunks.addLast(newest);
            }
            entries++;
            return newest.add(entry);
        }

        Chunk removeOldest() {
            Chunk oldest = chunks.removeFirst();
            entries -= oldest.entries().size();
            return oldest;
        }

        /// The number of chunks.
        int size() {
            return chunks.size();
        }

        int entries() {
            return entries;
        }
    }

    /// The memory of the cache in chunks of one size, outside the heap: taken from the system when it is first
    /// needed, kept until the end. Guarded by the cache's lock.
    static final class Pool implements AutoCloseable {

        /// The number of chunks: with this many, one that is being emptied is a small part.
        private static final int CHUNKS = 32;

        private static final long LARGEST_CHUNK_BYTES = 2 << 20;
        private static final long SMALLEST_CHUNK_BYTES = 4 << 10;

        /// The least number of chunks: with fewer there would be no room besides the free ones.
        private static final int FEWEST_CHUNKS = 8;

        private final Arena arena = Arena.ofShared();
        private final long chunkBytes;
        private final int count;
        private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
        private int allocated;

        Pool(long capacityBytes) {
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
}
