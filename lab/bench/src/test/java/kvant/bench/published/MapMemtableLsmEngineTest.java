package kvant.bench.published;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import org.junit.jupiter.api.Tag;

/// The LSM engine with the memtable that it is measured against.
@Tag("full") // a minute: ways that lost
class MapMemtableLsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return LsmEngine.open(
                directory,
                LsmOptions.defaults().withDurability(durability).with(o -> o.memtableBytes = 100 << 10),
                new MapMemtables(LsmParts.OWN));
    }
}
