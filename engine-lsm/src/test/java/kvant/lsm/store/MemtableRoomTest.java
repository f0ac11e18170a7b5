package kvant.lsm.store;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Tag;
import org.junit.jupiter.api.Test;

class MemtableRoomTest {

    @Test
    void writesStopOnlyWhereTheActiveMemtableIsFullAndNoMoreMayWait() {
        MemtableRoom room = new MemtableRoom(500_000, 2, 2_000_000);
        Memtable active = new ArenaMemtable(500_000);
        double last = 0;
        for (int i = 1; i <= 20; i++) {
            active.add(i, Tag.PUT, new byte[] {(byte) i}, new byte[50_000], 0);
            double share = room.shareTaken(active, new Backlog.Amount(2, 1_000_000, 0, 0, 0));
            assertThat(share).isGreaterThanOrEqualTo(last);
            assertThat(share == 1).isEqualTo(active.bytes() >= 500_000);
            assertThat(room.shareTaken(active, new Backlog.Amount(1, 500_000, 0, 0, 0)))
                    .isLessThan(1);
            assertThat(room.shareTaken(active, new Backlog.Amount(0, 0, 0, 0, 0)))
                    .isZero();
            last = share;
        }
        assertThat(last).isEqualTo(1);
    }

    @Test
    void memtablesAreBoundedByBytesTooButOneMayAlwaysWait() {
        MemtableRoom room = new MemtableRoom(500_000, 100, 3_000_000);
        Memtable active = new ArenaMemtable(500_000);
        active.add(1, Tag.PUT, new byte[1], new byte[2_000_000], 0);
        assertThat(room.shareTaken(active, new Backlog.Amount(1, 500_000, 0, 0, 0)))
                .isLessThan(1);
        assertThat(room.shareTaken(active, new Backlog.Amount(1, 1_000_000, 0, 0, 0)))
                .isEqualTo(1);
        assertThat(room.shareTaken(active, new Backlog.Amount(0, 0, 0, 0, 0))).isZero();
    }
}
