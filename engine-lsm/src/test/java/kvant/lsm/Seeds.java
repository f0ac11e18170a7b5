package kvant.lsm;

import java.util.Random;

/// Where tests get their randomness: a fixed seed, or another one by `-Dkvant.seed=N`. A test prints its seed
/// when it fails.
public final class Seeds {

    private Seeds() {}

    public static long seed(long usual) {
        return Long.getLong("kvant.seed", usual);
    }

    /// The number of tries of a random test; `-Dkvant.tries=2000` for the long version.
    public static int tries(int usual) {
        return tries(usual, usual);
    }

    /// @param all of a run that is to find more, by `-Dkvant.test.all=true`
    public static int tries(int usual, int all) {
        return Integer.getInteger("kvant.tries", Boolean.getBoolean("kvant.test.all") ? all : usual);
    }

    /// The number of steps of a history: all in long runs, else three fifths, which is enough to catch its mutants.
    public static int steps(int all) {
        return Boolean.getBoolean("kvant.test.all") ? all : all * 3 / 5;
    }

    /// A key of up to `longest` bytes, over few different bytes, so that prefixes are shared often.
    public static byte[] key(Random random, int longest) {
        byte[] alphabet = {0, 1, 'a', 'b', 0x7F, (byte) 0x80, (byte) 0xFF};
        byte[] key = new byte[1 + random.nextInt(longest)];
        for (int i = 0; i < key.length; i++) {
            key[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return key;
    }

    public static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
