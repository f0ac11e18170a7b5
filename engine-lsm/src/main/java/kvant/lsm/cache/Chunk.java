package kvant.lsm.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

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
        while (life.scope().isAlive()) {
            try {
                life.close();
            } catch (IllegalStateException e) {
                Thread.onSpinWait(); // one of them is being copied just now
            }
        }
        return base;
    }
}
