package kvant.bench.engine;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// The keys and values of a run.
///
/// @param keys numbers 0 to `keys` are in the store
/// @param valueBytes size of each value
/// @param fresh the next number that no key has had
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

    /// Bytes that do not compress.
    byte[] value(RandomGenerator random) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        return value;
    }

    /// Puts all keys, and comes to rest.
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
