package kvant.lsm.cache;

import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entries in the order in which they came, in chunks: the newest is filled, the oldest leaves with all that
/// is in it. Guarded by the cache's lock.
final class ChunkQueue {

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
