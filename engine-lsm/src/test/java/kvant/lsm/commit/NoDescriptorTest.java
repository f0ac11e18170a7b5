package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.LsmOptions;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.Call.Operation;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionSet;
import kvant.lsm.wal.RecoveredLogs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The process has no file descriptor left when the next log is due: writes are refused, and resume by themselves.
class NoDescriptorTest {

    private static final long MEMTABLE_BYTES = 64 << 10;
    private static final String VALUE = "v".repeat(1000);

    private final SimStorage storage = new SimStorage();
    private final RecordingSink sink = new RecordingSink();

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "SYNC_DIRECTORY"})
    void writesResumeWhenThereIsADescriptorAgain(Operation operation) throws Exception {
        Store store = store();
        CommitLog log = log(store);
        List<String> files = storage.files();
        storage.fail(new Faults(Faults.Kind.EMFILE, call -> call.operation() == operation));
        Write refused = writeUntilRefused(log);
        assertThat(refused.failure()).isInstanceOf(EngineException.Busy.class);
        assertThat(log.standingRefusal()).isNull();

        long hits = storage.faultsHit();
        for (int i = 0; i < 1000; i++) {
            assertThat(write(log).outcome()).isEqualTo(Write.Outcome.FAILED);
        }
        assertThat(storage.files()).as("no file is left of an attempt").isEqualTo(files);
        assertThat(storage.faultsHit() - hits).as("one attempt in a while").isLessThan(1000);

        storage.fail(Faults.NONE);
        await().until(() -> write(log).outcome() == Write.Outcome.APPLIED);
        log.finish();
        store.close();
    }

    private Write writeUntilRefused(CommitLog log) {
        for (int i = 0; i < MEMTABLE_BYTES; i++) {
            Write write = write(log);
            if (write.outcome() == Write.Outcome.FAILED) {
                return write;
            }
        }
        throw new AssertionError("the memtable was never full");
    }

    private Write write(CommitLog log) {
        Write write = new Write(WriteBatch.of(put("a", VALUE)), sink);
        log.commit(List.of(write));
        return write;
    }

    private Store store() throws IOException {
        VersionSet versions = VersionSet.open(storage, new Random(1), 300, Manifest.read(storage), new TableContext(0));
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.durability = Durability.NONE;
            o.memtableBytes = MEMTABLE_BYTES;
            o.maxSealedBytes = 2 * MEMTABLE_BYTES;
            o.table = new TableOptions(64, 600);
            o.preallocatedBytes = 0;
            o.headroomBytes = 0;
            o.random = new Random(1);
        });
        Store.Parts parts = new Store.Parts(NoDescriptorTest::memtable, _ -> 0, ExpiryClock.of(InstantSource.system()));
        return new Store(storage, options, parts, versions, memtable(), 0);
    }

    private static CommitLog log(Store store) throws IOException {
        return new CommitLog(store, WriteThrottle.DEFAULT, RecoveredLogs.NONE);
    }

    private static Memtable memtable() {
        return new ArenaMemtable(MEMTABLE_BYTES);
    }
}
