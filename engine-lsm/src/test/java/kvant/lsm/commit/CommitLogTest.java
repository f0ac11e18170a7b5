package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import kvant.engine.Condition;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.LsmOptions;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionSet;
import kvant.lsm.wal.RecoveredLogs;
import org.junit.jupiter.api.Test;

/// The commit log without its thread, so that a test is that thread.
class CommitLogTest {

    private static final long MEMTABLE_BYTES = 1 << 20;

    private final SimStorage storage = new SimStorage();
    private final RecordingSink sink = new RecordingSink();

    @Test
    void aRefusalThatRestsOnAFailedWriteOfItsGroupFailsWithIt() throws Exception {
        Store store = store(Durability.ALWAYS);
        CommitLog log = log(store);
        Write first = new Write(WriteBatch.of(put("a", "1")), sink);
        Write second = new Write(WriteBatch.of(put("a", "2")).when(new Condition.Absent()), sink);
        storage.fail(new Faults(Faults.Kind.ENOSPC, _ -> true));
        log.commit(List.of(first, second));
        assertThat(first.outcome()).isEqualTo(Write.Outcome.FAILED);
        assertThat(second.outcome()).isEqualTo(Write.Outcome.FAILED);
        assertThat(second.failure()).isInstanceOf(EngineException.StorageFull.class);
        storage.fail(Faults.NONE);
        log.finish();
        store.close();
    }

    @Test
    void theSyncOfAnIntervalIsDueAlthoughRefusedWritesNeverStop() throws Exception {
        Store store = store(Durability.parse("interval=20"));
        CommitLog log = log(store);
        log.commit(List.of(new Write(WriteBatch.of(put("a", "1")), sink)));
        assertThat(storage.hasUnsynced(".log")).isTrue();
        // The group commit asks after every group, and calls idle once the answer is 0 or less.
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            log.commit(List.of(new Write(WriteBatch.of(put("a", "2")).when(new Condition.Absent()), sink)));
            return log.idleDueNanos() <= 0;
        });
        log.idle();
        assertThat(storage.hasUnsynced(".log")).isFalse();
        log.finish();
        store.close();
    }

    private Store store(Durability durability) throws IOException {
        VersionSet versions = VersionSet.open(storage, new Random(1), 300, Manifest.read(storage), new TableContext(0));
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.durability = durability;
            o.memtableBytes = MEMTABLE_BYTES;
            o.maxSealedBytes = 2 * MEMTABLE_BYTES;
            o.table = new TableOptions(64, 600);
            o.preallocatedBytes = 0;
            o.headroomBytes = 0;
            o.random = new Random(1);
        });
        Store.Parts parts = new Store.Parts(CommitLogTest::memtable, _ -> 0, ExpiryClock.of(InstantSource.system()));
        return new Store(storage, options, parts, versions, memtable(), 0);
    }

    private static CommitLog log(Store store) throws IOException {
        return new CommitLog(store, WriteThrottle.DEFAULT, RecoveredLogs.NONE);
    }

    private static Memtable memtable() {
        return new ArenaMemtable(MEMTABLE_BYTES);
    }
}
