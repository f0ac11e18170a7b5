package kvant.lsm.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One bit for each data block of a table. Any thread may ask, set and clear: no change undoes another thread's, and
/// reading a bit costs no more than an ordinary read.
final class BlockBits {

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words;

    BlockBits(int blocks) {
        this.words = new long[(blocks + Long.SIZE - 1) / Long.SIZE];
    }

    boolean get(int block) {
        return ((long) WORD.getOpaque(words, block / Long.SIZE) & 1L << block) != 0;
    }

    void set(int block) {
        WORD.getAndBitwiseOr(words, block / Long.SIZE, 1L << block);
    }

    void clear(int block) {
        WORD.getAndBitwiseAnd(words, block / Long.SIZE, ~(1L << block));
    }
}
