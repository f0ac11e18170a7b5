package kvant.lsm.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Numbered places for what one owner has in the cache, such as the parts of one table: looking one up is one
/// load from an array, without a hash, a key object or a lock.
public final class CacheSlots {

    private static final int MAX_FREQUENCY = 3;

    private final AtomicReferenceArray<@Nullable Cached> entries;

    // Guarded by the cache's lock.
    private final int[] demotedAt; // when each entry last left the small queue; 0 for never

    private boolean closed;

    CacheSlots(int count) {
        this.entries = new AtomicReferenceArray<>(count);
        this.demotedAt = new int[count];
    }

    /// Counts as a use.
    public @Nullable Cached get(int number) {
        Cached entry = entries.getAcquire(number);
        if (entry != null && entry.frequency < MAX_FREQUENCY) {
            entry.frequency++;
        }
        return entry;
    }

    // Under the lock of the cache.

    /// Closes the slots: no entry is found in them any more, and none put there.
    void close() {
        closed = true;
        for (int number = 0; number < entries.length(); number++) {
            Cached entry = entries.getAndSet(number, null);
            if (entry != null) {
                entry.closeOwned();
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFree(int number) {
        return !closed && entries.get(number) == null;
    }

    boolean holds(int number, Cached entry) {
        return entries.get(number) == entry;
    }

    void set(int number, @Nullable Cached entry) {
        entries.setRelease(number, entry);
    }

    void demoted(int number, int at) {
        demotedAt[number] = at;
    }

    /// Whether the entry left the small queue at most this many demotions ago; then it is not read only once.
    boolean wasHere(int number, int demotions, int within) {
        return demotedAt[number] != 0 && Integer.compareUnsigned(demotions - demotedAt[number], within) <= 0;
    }
}
