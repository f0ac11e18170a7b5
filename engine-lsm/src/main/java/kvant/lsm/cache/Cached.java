package kvant.lsm.cache;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Cached bytes, with their owner's data about them. Read by any number of threads without a lock.
///
/// When the cache evicts an entry, its memory is reused without waiting for readers: a reader of such bytes gets an
/// [IllegalStateException], and looks them up again. Bytes read before that are right.
public abstract class Cached {

    // Constant.
    private final MemorySegment memory;
    private final long offset;
    private final int bytes;
    private final @Nullable CacheSlots owned;

    // Guarded by the cache's lock.
    @Nullable
    CacheSlots home;

    int number;

    /// Counted without synchronisation: a lost count only makes it look a little colder.
    byte frequency;

    /// @param memory in which the bytes lie
    /// @param owned places of entries that only this one leads to: they leave with it
    protected Cached(MemorySegment memory, long offset, int bytes, @Nullable CacheSlots owned) {
        this.memory = memory;
        this.offset = offset;
        this.bytes = bytes;
        this.owned = owned;
    }

    /// The same with its bytes in another place, into which they have been copied.
    protected abstract Cached at(MemorySegment place, long placeOffset);

    public final MemorySegment memory() {
        return memory;
    }

    /// The start of the bytes in the memory: a multiple of 64 when the cache holds them.
    public final long offset() {
        return offset;
    }

    public final int bytes() {
        return bytes;
    }

    /// Makes what only this one leads to unreachable.
    final void closeOwned() {
        if (owned != null) {
            owned.close();
        }
    }

    /// Whether its bytes can no longer be read.
    public final boolean isEvicted() {
        return !memory.scope().isAlive();
    }

    /// Whether a look-up still finds it.
    final boolean isLive() {
        return home != null && !home.isClosed() && home.holds(number, this);
    }
}
