package kvant.lsm;

import java.nio.file.Path;
import java.util.List;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Tag;

/// The LSM engine with small tables compressed by Zstandard, and without a cache.
@Tag("full") // the contract once more, as with LZ4
class ZstdLsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return LsmEngine.open(
                directory, LsmOptions.defaults().withDurability(durability).with(o -> {
                    o.memtableBytes = 300 << 10;
                    o.table = new TableOptions(512, 16 << 10, List.of(Compression.ZSTD), 0);
                    o.compaction = new CompactionOptions(new Leveled(2, 600 << 10, 3), 2, 0);
                }));
    }
}
