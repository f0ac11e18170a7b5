package kvant.bench.published;

import kvant.lsm.memtable.Memtable;
import kvant.lsm.memtable.MemtableContract;

class MapMemtableTest extends MemtableContract {

    @Override
    protected Memtable create(long expectedBytes) {
        return new MapMemtable();
    }
}
