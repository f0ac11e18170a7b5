package kvant.lsm.recover;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SampleStores;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.UnreadableFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Recovery with several live logs: crashes that it repairs, and damage that it refuses.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryTest {

    private static final int EVERY_GROUP = 1;
    /// Of the calls of the second recovery every so many are tried, others each time.
    private static final int SECOND_STRIDE = 5;
    private static final int END_RECORD_BYTES = 32;
    /// Behind the header of the file and that of the record.
    private static final int FIRST_PAYLOAD_AT = 64 + 32;

    private static final int POWER_CUTS = 50;
    private static final String FIRST_LOG = "00000001.log";
    private static final String UNNAMED_LOG = "00000099.log";

    /// As older versions leave them: the manifest does not say where a log ends.
    @Test
    void anEndRecordThatAPowerCutTookIsNotMissed() throws Exception {
        SimStorage image = killedWithTwoLogs();
        SampleStores.forgetEndsOfLogs(image);
        image.damage(FIRST_LOG, END_RECORD_BYTES);
        try (LsmEngine engine = open(image)) {
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
            assertThat(Samples.get(engine, "b")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFinishedLogThatLostARecordIsRefusedByName(boolean manifestKnowsItsEnd) throws Exception {
        SimStorage image = killedWithTwoLogs();
        if (!manifestKnowsItsEnd) {
            SampleStores.forgetEndsOfLogs(image);
        }
        image.damage(FIRST_LOG, END_RECORD_BYTES + 1);
        assertThatThrownBy(() -> open(image).close())
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(FIRST_LOG);
    }

    /// There was no room for its end record: the log behind it vouches for what is in it.
    @Test
    void aBitThatFlippedInALogWithoutAnEndIsNoTornTail() throws Exception {
        SimStorage image = killedWithTwoLogs();
        SampleStores.forgetEndsOfLogs(image); // the first is known with its end record
        byte[] log = image.bytes(FIRST_LOG);
        byte[] withoutEnd = Arrays.copyOf(log, log.length - END_RECORD_BYTES);
        image.put(FIRST_LOG, withoutEnd);
        try (LsmEngine engine = open(image.killed())) {
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
        }
        withoutEnd[FIRST_PAYLOAD_AT] ^= 1;
        image.put(FIRST_LOG, withoutEnd);
        assertThatThrownBy(() -> open(image).close())
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(FIRST_LOG);
    }

    /// The JVM tells of a bad sector by an error that knows no file. A log that the manifest does not name may hold
    /// what no table has: it is not deleted unread.
    @ParameterizedTest
    @ValueSource(strings = {FIRST_LOG, UNNAMED_LOG, FileNames.MANIFEST})
    void aFileThatTheDiskCannotReadIsNamed(String file, @TempDir Path folder) throws IOException {
        SimStorage image = killedWithTwoLogs();
        if (file.equals(UNNAMED_LOG)) {
            image.put(file, image.bytes(FIRST_LOG));
        }
        UnreadableFile disk = new UnreadableFile(image, file, folder);
        assertThatThrownBy(() -> TestEngines.open(disk, SimOptions.of(1, "always", EVERY_GROUP)))
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(file)
                .hasMessageContaining("cannot be read (I/O error)")
                .hasMessageNotContaining("shortened");
        assertThat(image.files()).contains(file);
        assertThat(image.openMaps()).as("mappings").isZero();
        assertThat(image.openFiles()).as("files").isZero();
    }

    @Test
    void recoveryMayBeCutOffTwiceAtAnyCalls() {
        SimStorage image = killedWithTwoLogs("c");
        int chains = 0;
        for (SimStorage once : killedDuringRecovery(image)) {
            List<SimStorage> again = killedDuringRecovery(once);
            for (int i = chains % SECOND_STRIDE; i < again.size(); i += SECOND_STRIDE) {
                try (LsmEngine engine = open(again.get(i))) {
                    assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("a", "b", "c");
                }
                chains++;
            }
        }
        assertThat(chains).isGreaterThan(100);
    }

    private static List<SimStorage> killedDuringRecovery(SimStorage image) {
        SimStorage storage = image.killed();
        List<SimStorage> killed = new ArrayList<>();
        storage.observe(_ -> killed.add(storage.killed()));
        open(storage).close();
        return killed;
    }

    @Test
    void aStoreThatWasClosedKeepsItsLogInsteadOfFlushingIt() {
        SimStorage storage = new SimStorage();
        LsmOptions options = SimOptions.of(1, "always", 1 << 20);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            Samples.write(engine, put("a", "1"));
        }
        TestEngines.open(storage, options).close();
        assertThat(storage.files()).noneMatch(file -> file.endsWith(".table"));
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
        }
    }

    /// A change of logs that found no room is tried again, and ends the log once more. A kill keeps that second
    /// end in the page cache, a power cut takes it: the log begun in between names a place behind the first end.
    @Test
    void aSecondEndRecordThatAPowerCutTookIsNotMissed() throws Exception {
        SimStorage killed = killedBehindASecondEnd();
        try (LsmEngine engine = open(killed)) {
            for (int seed = 0; seed < POWER_CUTS; seed++) {
                SimStorage cut = killed.crashed(new SplittableRandom(seed));
                assertThat(new Findings(cut).problems).as("power cut %d", seed).isEmpty();
                try (LsmEngine again = open(cut)) {
                    assertThat(Samples.get(again, "a")).as("power cut %d", seed).isEqualTo("1");
                }
            }
            assertThat(Samples.get(engine, "b")).isNull();
        }
    }

    private static SimStorage killedBehindASecondEnd() {
        SimStorage storage = new SimStorage();
        AtomicReference<@Nullable SimStorage> image = new AtomicReference<>();
        try (LsmEngine engine = open(storage)) {
            Samples.write(engine, put("a", "1"));
            storage.fail(new Faults(Faults.Kind.ENOSPC, call -> call.operation() == Call.Operation.CREATE));
            assertThat(Samples.settle(engine, WriteBatch.of(put("b", "2"))).failure())
                    .isInstanceOf(EngineException.StorageFull.class);
            storage.observe(call -> {
                if (call.operation() == Call.Operation.WRITE && call.file().equals(FIRST_LOG)) {
                    image.compareAndSet(null, storage.killed());
                }
            });
            Samples.settle(engine, WriteBatch.of(put("b", "2")));
            storage.fail(Faults.NONE);
        }
        return Objects.requireNonNull(image.get());
    }

    /// The first log is finished, the last is being written, and no table can be.
    ///
    /// @param more keys that are written too, each into a log of its own
    private static SimStorage killedWithTwoLogs(String... more) {
        SimStorage storage = new SimStorage();
        BlockedTables blocked = new BlockedTables(storage);
        try (LsmEngine engine = TestEngines.open(blocked, SimOptions.of(1, "always", EVERY_GROUP))) {
            Samples.write(engine, put("a", "1"));
            Samples.write(engine, put("b", "2"));
            for (String key : more) {
                Samples.write(engine, put(key, "3"));
            }
            SimStorage image = storage.killed();
            blocked.release();
            return image;
        }
    }

    private static LsmEngine open(SimStorage image) {
        return TestEngines.open(image, SimOptions.of(1, "always", EVERY_GROUP));
    }
}
