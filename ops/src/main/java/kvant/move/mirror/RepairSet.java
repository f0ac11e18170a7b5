package kvant.move.mirror;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.engine.Mutation;
import org.jspecify.annotations.Nullable;

/// The keys in which the target may differ from the source. As long as a key is in the set, only a repair writes it to
/// the target. Bounded. Any thread may call; a caller that adds or removes a key holds its line.
///
/// A key is in doubt while a late write of it may still take effect in the target. It must not be repaired before that
/// write has ended.
final class RepairSet {

    /// Overhead charged for a key in addition to its bytes.
    private static final int KEY_OVERHEAD_BYTES = 128;

    private static final class Entry {
        int doubts;
        long notBeforeNanos = System.nanoTime();
    }

    // Constant.
    private final long maxBytes;

    // Guarded by this.
    private final Map<KeyBytes, Entry> keys = new LinkedHashMap<>();
    private long bytes;

    // Written while holding the monitor.
    private volatile int size;

    RepairSet(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    int size() {
        return size;
    }

    /// @param doubtful whether a write of these keys is still unfinished in the target; such keys are always accepted,
    ///     since unfinished writes are bounded
    /// @return false when the set is full: keys may be missing from now on
    synchronized boolean add(List<Mutation> mutations, boolean doubtful) {
        for (Mutation mutation : mutations) {
            KeyBytes key = new KeyBytes(mutation.key());
            Entry entry = keys.get(key);
            if (entry == null) {
                if (bytes >= maxBytes && !doubtful) {
                    return false;
                }
                entry = new Entry();
                keys.put(key, entry);
                bytes += key.bytes().length + KEY_OVERHEAD_BYTES;
                size = keys.size();
            }
            if (doubtful) {
                entry.doubts++;
            }
        }
        return bytes < maxBytes;
    }

    /// Reports the end of a late write of these keys.
    synchronized void doubtEnded(List<Mutation> mutations) {
        for (Mutation mutation : mutations) {
            Entry entry = keys.get(new KeyBytes(mutation.key()));
            if (entry != null && entry.doubts > 0) {
                entry.doubts--;
            }
        }
    }

    boolean containsAny(List<Mutation> mutations) {
        if (size == 0) {
            return false;
        }
        synchronized (this) {
            for (int i = 0; i < mutations.size(); i++) {
                if (keys.containsKey(new KeyBytes(mutations.get(i).key()))) {
                    return true;
                }
            }
            return false;
        }
    }

    boolean contains(KeyBytes key) {
        if (size == 0) {
            return false;
        }
        synchronized (this) {
            return keys.containsKey(key);
        }
    }

    /// True if a key is in the set and may be repaired.
    synchronized boolean isDue(KeyBytes key) {
        return isDue(keys.get(key));
    }

    private static boolean isDue(@Nullable Entry entry) {
        return entry != null && entry.doubts == 0 && System.nanoTime() - entry.notBeforeNanos >= 0;
    }

    /// Some keys that may be repaired, oldest first; they remain in the set.
    synchronized List<KeyBytes> due(int most) {
        List<KeyBytes> due = new ArrayList<>();
        for (Map.Entry<KeyBytes, Entry> each : keys.entrySet()) {
            if (due.size() == most) {
                break;
            }
            if (isDue(each.getValue())) {
                due.add(each.getKey());
            }
        }
        return due;
    }

    /// Postpones a key that the target refuses, so that other keys are tried first.
    synchronized void postpone(KeyBytes key, long pauseNanos) {
        Entry entry = keys.get(key);
        if (entry != null) {
            entry.notBeforeNanos = System.nanoTime() + pauseNanos;
        }
    }

    synchronized void remove(KeyBytes key) {
        if (keys.remove(key) != null) {
            bytes -= key.bytes().length + KEY_OVERHEAD_BYTES;
            size = keys.size();
        }
    }

    /// Removes all keys except those in doubt.
    synchronized void clear() {
        keys.values().removeIf(entry -> entry.doubts == 0);
        bytes = 0;
        keys.keySet().forEach(key -> bytes += key.bytes().length + KEY_OVERHEAD_BYTES);
        size = keys.size();
    }
}
