package kvant.bench.published;

import java.nio.file.Path;
import java.util.Set;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Tag;

/// The LSM engine with the memtable that it is measured against.
@Tag("full") // a minute: ways that lost
class MapMemtableLsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return new PublishedLsm(Set.of(PublishedWay.MAP_MEMTABLE))
                .open(
                        directory,
                        LsmOptions.defaults().withDurability(durability).with(o -> o.memtableBytes = 100 << 10));
    }
}
