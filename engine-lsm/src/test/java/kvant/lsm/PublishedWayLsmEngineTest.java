package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/// The LSM engine with flushes in the foreground, reads under one lock, or both, in sizes so small that every test
/// flushes.
@ParameterizedClass(name = "flush {0}, locked reads {1}")
@CsvSource({"FOREGROUND, true", "FOREGROUND, false", "BACKGROUND, true"})
class PublishedWayLsmEngineTest extends EngineContract {

    private final LsmOptions.Flush flush;
    private final boolean lockedReads;

    PublishedWayLsmEngineTest(LsmOptions.Flush flush, boolean lockedReads) {
        this.flush = flush;
        this.lockedReads = lockedReads;
    }

    @Override
    protected Engine open(Path directory, Durability durability) {
        LsmOptions options = LsmOptions.defaults().withDurability(durability).with(o -> {
            o.flush = flush;
            o.memtableBytes = 300 << 10;
            o.table = new TableOptions(128, 4 << 10);
            o.compaction = new CompactionOptions(new Leveled(2, 600 << 10, 3), 2, 0);
        });
        return lockedReads ? LockedReads.open(directory, options) : LsmEngine.open(directory, options);
    }
}
