package kvant.lsm;

import java.nio.file.Path;
import java.time.InstantSource;
import kvant.engine.ClockSetBackContract;
import kvant.engine.LocalEngine;

class LsmClockSetBackTest extends ClockSetBackContract {

    @Override
    protected LocalEngine open(Path data, InstantSource clock) {
        return LsmEngine.open(data, LsmOptions.defaults().withMemtable(1 << 20).with(o -> o.clock = clock));
    }
}
