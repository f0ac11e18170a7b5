package kvant.rocksdb;

import java.nio.file.Path;
import java.time.InstantSource;
import kvant.engine.ClockSetBackContract;
import kvant.engine.LocalEngine;

class RocksDbClockSetBackTest extends ClockSetBackContract {

    @Override
    protected LocalEngine open(Path data, InstantSource clock) {
        return RocksDbEngine.open(data, RocksDbOptions.defaults(), clock, null);
    }
}
