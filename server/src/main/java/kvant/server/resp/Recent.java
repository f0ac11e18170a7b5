package kvant.server.resp;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Values by key, those that were used last: so many at most, of so many bytes together. Any thread may call.
final class Recent<K, V> {

    private record Kept<V>(V value, long bytes) {}

    // Constant.
    private final int most;
    private final long mostBytes;

    // Guarded by this.
    private final LinkedHashMap<K, Kept<V>> all = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    Recent(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    synchronized @Nullable V get(K key) {
        Kept<V> kept = all.get(key);
        return kept == null ? null : kept.value;
    }

    synchronized void put(K key, V value, long itsBytes) {
        remove(key);
        all.put(key, new Kept<>(value, itsBytes));
        bytes += itsBytes;
        while (all.size() > most || bytes > mostBytes) {
            remove(all.keySet().iterator().next());
        }
    }

    synchronized @Nullable V remove(K key) {
        Kept<V> kept = all.remove(key);
        bytes -= kept == null ? 0 : kept.bytes;
        return kept == null ? null : kept.value;
    }

    synchronized void clear() {
        all.clear();
        bytes = 0;
    }
}
