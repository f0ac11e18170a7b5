package kvant.load.keys;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a random stream, reproducible from its seed, without allocation.
///
/// Owned by one thread.
public final class SplitMix64 {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final double DOUBLE_UNIT = 0x1.0p-53;

    private long state;

    public SplitMix64(long seed) {
        state = seed;
    }

    /// A separate stream for each number, all from one seed.
    public static SplitMix64 of(long seed, long stream) {
        return new SplitMix64(mix(seed + mix(stream + GOLDEN)));
    }

    /// Mixes the bits of a number: a bijection, so that different numbers remain different.
    public static long mix(long number) {
        long z = number;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    public long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /// In `[0, 1)`.
    public double nextDouble() {
        return (nextLong() >>> 11) * DOUBLE_UNIT;
    }

    /// In `[0, bound)`. The bias of the multiplication is below `bound / 2^64`.
    public long below(long bound) {
        return Math.unsignedMultiplyHigh(nextLong(), bound);
    }
}
