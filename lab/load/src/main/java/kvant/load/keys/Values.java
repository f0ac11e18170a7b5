package kvant.load.keys;

import java.util.Arrays;

/// The bytes of values, determined by key and length, so that a reader can verify them.
///
/// They are cut from one block of random bytes at a position determined by the key. They are incompressible, and do not
/// depend on the seed of a run: one run can verify the values of another.
public final class Values {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long CONTENT_SEED = 0x6B76616E74L;

    private static final byte[] BLOCK = block();

    private Values() {}

    private static byte[] block() {
        byte[] block = new byte[BLOCK_BYTES];
        SplitMix64 random = new SplitMix64(CONTENT_SEED);
        for (int at = 0; at < block.length; at += Long.BYTES) {
            long word = random.nextLong();
            for (int i = 0; i < Long.BYTES; i++) {
                block[at + i] = (byte) (word >>> (i * Byte.SIZE));
            }
        }
        return block;
    }

    private static int place(long key, long position) {
        return (int) ((SplitMix64.mix(key) + position) & (BLOCK_BYTES - 1));
    }

    /// Writes the value of a key.
    public static void write(long key, int length, byte[] into, int at) {
        int done = 0;
        while (done < length) {
            int place = place(key, done);
            int part = Math.min(length - done, BLOCK_BYTES - place);
            System.arraycopy(BLOCK, place, into, at + done, part);
            done += part;
        }
    }

    /// True if these bytes equal the value of the key at this position.
    public static boolean matches(long key, long position, byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int place = place(key, position + (at - from));
            int part = Math.min(to - at, BLOCK_BYTES - place);
            if (!Arrays.equals(bytes, at, at + part, BLOCK, place, place + part)) {
                return false;
            }
            at += part;
        }
        return true;
    }
}
