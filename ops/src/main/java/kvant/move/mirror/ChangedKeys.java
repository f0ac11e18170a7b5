package kvant.move.mirror;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Mutation;

/// The keys that clients have written since the copier read a piece of the source: what it read of them is old, and
/// they went to the target by themselves. Bounded; when it is full the copier reads again.
///
/// A writer adds its keys after the source has applied them and while it holds their lines. The copier begins a new
/// set before it reads, and looks into it while it holds the lines: so a write is in what was read, or in the set.
final class ChangedKeys {

    /// When nothing is being copied.
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

    /// Whether keys may be missing.
    boolean isFull() {
        return count.get() >= maxKeys;
    }
}
