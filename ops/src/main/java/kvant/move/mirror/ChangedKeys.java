package kvant.move.mirror;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Mutation;

/// The keys that clients have written since the copier last read a piece of the source. Its data for these keys is
/// stale, and the clients' writes reach the target separately. Bounded; when full, the copier reads the piece again.
///
/// A writer adds its keys after the source has applied them, while holding their lines. The copier creates a new set
/// before it reads and checks it while holding the lines: each write is therefore in the data read or in the set.
final class ChangedKeys {

    /// The set while nothing is being copied.
    static final ChangedKeys NONE = new ChangedKeys(0);

    // Constant.
    private final int maxKeys;

    // Concurrent.
    private final Set<KeyBytes> keys = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    ChangedKeys(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    void add(List<Mutation> mutations) {
        if (maxKeys == 0) {
            return;
        }
        for (int i = 0; i < mutations.size() && !isFull(); i++) {
            if (keys.add(new KeyBytes(mutations.get(i).key()))) {
                count.incrementAndGet();
            }
        }
    }

    boolean contains(KeyBytes key) {
        return keys.contains(key);
    }

    /// True if keys may be missing.
    boolean isFull() {
        return count.get() >= maxKeys;
    }
}
