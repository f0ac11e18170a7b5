package kvant.bench.published;

import java.nio.file.Path;
import java.util.Set;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Tag;

/// The LSM engine with flushes in the foreground and reads under one lock, in sizes so small that every test flushes.
@Tag("full") // a minute: ways that lost
class PublishedLsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return new PublishedLsm(Set.of(PublishedWay.LOCKED_READS, PublishedWay.FOREGROUND_FLUSH))
                .open(
                        directory,
                        LsmOptions.defaults().withDurability(durability).with(o -> {
                            o.memtableBytes = 300 << 10;
                            o.table = new TableOptions(128, 4 << 10);
                            o.compaction = new CompactionOptions(new Leveled(2, 600 << 10, 3), 2, 0);
                        }));
    }
}
