package kvant.bench.engine;

import java.nio.ByteBuffer;

/// Keys of 16 bytes that look random and are unique: number `i` is always the same key, and neighbours are
/// far apart.
public final class Keys {

    public static final int BYTES = 16;

    private Keys() {}

    public static byte[] key(long number) {
        long mixed = mix(number);
        return ByteBuffer.allocate(BYTES).putLong(mixed).putLong(mix(~mixed)).array();
    }

    /// A bijection of 64 bits (the finalizer of SplitMix64; Steele et al., 2014), so that no two numbers
    /// collide.
    private static long mix(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
