package kvant.bench.simulation;

import java.util.BitSet;

/// Which keys hold a value.
final class LiveKeys {

    private final BitSet live = new BitSet();
    private long count;

    void set(int key, boolean isLive) {
        if (live.get(key) != isLive) {
            live.set(key, isLive);
            count += isLive ? 1 : -1;
        }
    }

    long count() {
        return count;
    }
}
