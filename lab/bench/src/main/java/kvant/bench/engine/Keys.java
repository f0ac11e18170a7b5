package kvant.bench.engine;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/// Unique keys of 16 bytes that look random: number `i` is always the same key, and consecutive numbers are far apart.
public final class Keys {

    public static final int BYTES = 16;

    /// Number of keys whose blocks fit in memory, in a store of any size.
    public static final int FEW = 10_000;

    private Keys() {}

    public static byte[] key(long number) {
        long mixed = mix(number);
        return ByteBuffer.allocate(BYTES).putLong(mixed).putLong(mix(~mixed)).array();
    }

    /// One of [#FEW] keys spread over a whole store of the numbers 0 to `keys`.
    public static byte[] oneOfFew(RandomGenerator random, long keys) {
        long few = Math.min(FEW, keys);
        return key(random.nextLong(few) * (keys / few));
    }

    /// A bijection of 64 bits (the finalizer of SplitMix64; Steele et al., 2014), so that numbers do not collide.
    private static long mix(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
