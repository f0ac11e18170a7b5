package kvant.lsm.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArenaMemtableTest extends MemtableContract {

    @Override
    protected Memtable create(long expectedBytes) {
        return new ArenaMemtable(expectedBytes);
    }

    @Test
    void theHashIndexIsCountedAndSmallBesideWhatIsExpected() {
        long more = new ArenaMemtable(64 << 20).bytes() - new ArenaMemtable(1).bytes();
        assertThat(more).isBetween(1L << 20, (64L << 20) / 32);
    }
}
