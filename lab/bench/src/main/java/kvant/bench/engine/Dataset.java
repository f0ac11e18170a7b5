package kvant.bench.engine;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// The keys and values of a run.
///
/// @param keys the store contains the numbers 0 to `keys`
/// @param valueBytes size of each value
/// @param fresh the next unused number
record Dataset(long keys, int valueBytes, AtomicLong fresh) {

    private static final AtomicLong SEED = new AtomicLong(42);

    static Dataset of(long keys, int valueBytes) {
        return new Dataset(keys, valueBytes, new AtomicLong(keys));
    }

    static RandomGenerator newRandom() {
        return new SplittableRandom(SEED.getAndIncrement());
    }

    RandomGenerator random() {
        return newRandom();
    }

    /// Incompressible bytes.
    byte[] value(RandomGenerator random) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        return value;
    }

    /// Puts all keys, and waits until the engine is idle.
    void fill(Contender contender) {
        put(contender);
        contender.rest();
    }

    /// Puts all keys.
    void put(Contender contender) {
        RandomGenerator random = random();
        for (long i = 0; i < keys; i++) {
            contender.put(Keys.key(i), value(random));
        }
    }
}
