package kvant.lsm.table;

/// One bit for each data block of a table. Threads may overwrite each other's bits: what a bit saves is then
/// done twice.
final class BlockBits {

    private final long[] words;

    BlockBits(int blocks) {
        this.words = new long[(blocks + Long.SIZE - 1) / Long.SIZE];
    }

    boolean get(int block) {
        return (words[block / Long.SIZE] & 1L << block) != 0;
    }

    void set(int block) {
        words[block / Long.SIZE] |= 1L << block;
    }
}
