package kvant.bench.engine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import kvant.engine.Lookup;
import kvant.lsm.LsmEngine;

/// Bytes allocated by a hot get.
///
/// @param perGet mean allocation of a get
/// @param answer size of the value's array and of its container object
record ThreadAllocation(double perGet, double answer) {

    private static final int KEYS = 1_000;
    private static final int ROUNDS = 300;

    static ThreadAllocation measure(LsmEngine engine, Dataset data) {
        byte[][] keys = new byte[KEYS][];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = Keys.key(i);
        }
        // Only the last round counts, after the compiler has optimized these loops.
        double perGet = 0;
        double answer = 0;
        Object[] kept = new Object[KEYS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = allocated();
            for (int i = 0; i < KEYS; i++) {
                kept[i] = engine.get(keys[i]);
            }
            long middle = allocated();
            for (int i = 0; i < KEYS; i++) {
                kept[i] = new Lookup.Found(new byte[data.valueBytes()], i);
            }
            perGet = (middle - start) / (double) KEYS;
            answer = (allocated() - middle) / (double) KEYS;
        }
        return new ThreadAllocation(perGet, answer);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    double beyondTheAnswer() {
        return perGet - answer;
    }
}
