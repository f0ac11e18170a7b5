package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Samples;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.Storage;
import org.junit.jupiter.api.Test;

/// An error while a store is being opened, such as one of memory, leaves no file and no mapping open.
class StartFailureTest {

    private final SimStorage storage = new SimStorage();

    @Test
    void anErrorInTheConstructorClosesTheStore() {
        assertAllIsClosedWithout(new LsmParts() {
            @Override
            public GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
                throw new OutOfMemoryError("simulated");
            }
        });
    }

    @Test
    void anErrorBetweenRecoveryAndTheStoreClosesTheTablesAndTheManifest() {
        assertAllIsClosedWithout(new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                throw new OutOfMemoryError("simulated");
            }
        });
    }

    @Test
    void anErrorWhileTheStoreIsMadeClosesTheTablesAndTheManifest() {
        fill();
        Storage fails = new ForwardingStorage(storage) {
            @Override
            public String describe(String name) {
                if (name.isEmpty()) { // what a store asks for once its files are open
                    throw new OutOfMemoryError("simulated");
                }
                return super.describe(name);
            }
        };
        assertThatThrownBy(() -> TestEngines.open(fails, options())).isInstanceOf(OutOfMemoryError.class);
        assertNothingOpen();
    }

    /// @param part for one of which there is no memory
    private void assertAllIsClosedWithout(LsmParts part) {
        fill();
        assertThatThrownBy(() -> TestEngines.open(storage, options(), part)).isInstanceOf(OutOfMemoryError.class);
        assertNothingOpen();
    }

    @Test
    void anErrorAtTheBeginningOfTheLogClosesTheStore() {
        fill();
        storage.observe(call -> {
            if (call.operation() == Call.Operation.WRITE && call.file().endsWith(".log")) {
                throw new OutOfMemoryError("simulated");
            }
        });
        assertThatThrownBy(() -> TestEngines.open(storage, options())).isInstanceOf(OutOfMemoryError.class);
        storage.observe(_ -> {});
        assertNothingOpen();
    }

    @Test
    void anErrorWhileTablesAreOpenedClosesThoseThatWere() {
        fill();
        AtomicInteger mappings = new AtomicInteger();
        storage.observe(call -> {
            boolean isTable =
                    call.operation() == Call.Operation.MAP && call.file().endsWith(".table");
            if (isTable && mappings.incrementAndGet() > 2) { // those of the first table
                throw new OutOfMemoryError("simulated");
            }
        });
        assertThatThrownBy(() -> TestEngines.open(storage, options())).isInstanceOf(OutOfMemoryError.class);
        storage.observe(_ -> {});
        assertNothingOpen();
    }

    @Test
    void aDamagedTableLeavesNeitherTheOnesBeforeItOpenNorThoseBehind() throws Exception {
        fill();
        List<String> tables = storage.files().stream()
                .filter(file -> file.endsWith(".table"))
                .sorted()
                .toList();
        assertThat(tables).hasSizeGreaterThan(2);
        String second = tables.get(1);
        byte[] whole = storage.bytes(second);
        byte[] damaged = whole.clone();
        damaged[damaged.length - 1] ^= 1; // in the footer
        storage.put(second, damaged);
        assertThatThrownBy(() -> TestEngines.open(storage, options())).isInstanceOf(EngineException.Corruption.class);
        storage.put(second, whole);
        assertNothingOpen();
    }

    private void fill() {
        try (LsmEngine engine = TestEngines.open(storage, options())) {
            for (int i = 0; i < 10; i++) {
                Samples.write(engine, Samples.put("key" + i, "v"));
            }
            engine.awaitRest();
        }
    }

    private void assertNothingOpen() {
        assertThat(storage.openMaps()).as("mappings").isZero();
        assertThat(storage.openFiles()).as("files").isZero();
        try (LsmEngine engine = TestEngines.open(storage, options())) {
            assertThat(Samples.get(engine, "key7")).isEqualTo("v");
        }
    }

    private static LsmOptions options() {
        return SimOptions.of(1, "always", 1);
    }
}
