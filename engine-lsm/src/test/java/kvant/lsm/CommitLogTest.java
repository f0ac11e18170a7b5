package kvant.lsm;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import kvant.engine.Condition;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.table.TableContext;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionSet;
import kvant.lsm.wal.FileHeader;
import org.junit.jupiter.api.Test;

/// The commit log without its thread, so that a test is that thread.
class CommitLogTest {

    private final SimStorage storage = new SimStorage();
    private final RecordingSink sink = new RecordingSink();

    @Test
    void aRefusalThatRestsOnAFailedWriteOfItsGroupFailsWithIt() throws Exception {
        LsmOptions options = CrashTest.options(1, "always", 1 << 20);
        VersionSet versions = VersionSet.open(
                storage, new Random(1), options.manifestBytes(), Manifest.read(storage), new TableContext(0));
        Store store =
                new Store(storage, options, versions, Memtable.create(options.memtable(), options.memtableBytes()), 0);
        CommitLog log = new CommitLog(
                storage,
                options,
                store,
                new SpaceGuard(storage, 0),
                new CommitFigures(),
                FileHeader.Predecessor.NONE,
                List.of(),
                List.of());
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
        LsmOptions options = CrashTest.options(1, "interval=20", 1 << 20);
        VersionSet versions = VersionSet.open(
                storage, new Random(1), options.manifestBytes(), Manifest.read(storage), new TableContext(0));
        Store store =
                new Store(storage, options, versions, Memtable.create(options.memtable(), options.memtableBytes()), 0);
        CommitLog log = new CommitLog(
                storage,
                options,
                store,
                new SpaceGuard(storage, 0),
                new CommitFigures(),
                FileHeader.Predecessor.NONE,
                List.of(),
                List.of());
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
}
