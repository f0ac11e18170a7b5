package kvant.lsm.recover;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.BlockedTables;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.Manifest;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The manifest tells where a finished log ends, so that a shorter one is not taken for one that a crash tore.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FinishedLogTest {

    private static final int PUTS = 20;
    private static final int EVERY_GROUP = 1;
    private static final int NEVER_FULL = 1 << 20;
    private static final int END_RECORD_BYTES = 32;
    private static final String LOG = FileNames.log(1);

    @TempDir
    Path folder;

    @Test
    void halfALogAfterACleanStopIsRefusedWithTheVersionsThatAreMissing() throws IOException {
        HeapStorage storage = stopped();
        int whole = storage.bytes(LOG).length;
        int group = (whole - 64 - END_RECORD_BYTES) / PUTS;
        storage.truncate(LOG, 64 + 9 * group + 1);
        String expected = "only " + (64 + 9 * group) + " bytes of it are valid, and the manifest says that it was"
                + " finished with " + whole + ", up to version 20: versions 10 to 20 are missing";

        assertRefused(storage, "heap/" + LOG + " is damaged at offset " + (64 + 9 * group) + ": " + expected);
        Findings found = new Findings(storage);
        assertThat(found.problems)
                .containsExactly(new Findings.Problem(Damage.LOG, "heap/" + LOG, 64 + 9 * group, expected));
        assertThat(found.notes).isEmpty();
    }

    /// Neither its header nor its end record is enough.
    @Test
    void aLogOfAHeaderAloneAndOneWithoutItsEndAreRefused() throws IOException {
        HeapStorage empty = stopped();
        empty.truncate(LOG, 64);
        assertRefused(empty, "up to version 20: versions 1 to 20 are missing");

        HeapStorage withoutEnd = stopped();
        withoutEnd.truncate(LOG, withoutEnd.bytes(LOG).length - END_RECORD_BYTES);
        assertRefused(withoutEnd, "up to version 20: its end is missing, and no version");
    }

    /// As long as the one that was written, and valid: only its last version tells.
    @Test
    void aLogWhoseLastVersionIsLowerIsRefused() throws IOException {
        HeapStorage storage = stopped();
        LogInfo known = Objects.requireNonNull(Manifest.read(storage).log(1));
        storage.delete(LOG);
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, known.id(), 1, FileHeader.Predecessor.NONE);
        try (RecordWriter log = RecordWriter.create(storage, LOG, header, ByteBuffer.allocate(1_000))) {
            Payload payload = new Payload();
            GroupDescriptor.encode(put("long", "v".repeat((int) known.bytes())), payload);
            log.append(RecordType.GROUP, 1, payload);
            log.sync();
            assertThat(log.size()).isGreaterThan(known.bytes());
        }
        assertRefused(storage, "versions 2 to 20 are missing");
        assertThat(new Findings(storage).problems)
                .singleElement()
                .matches(problem -> problem.what().contains("versions 2 to 20 are missing"));
    }

    /// The edit that begins a log tells where the one before it ends.
    @Test
    void aLogThatHasASuccessorIsKnownToItsLastByteAlsoAfterAKill() throws IOException {
        SimStorage storage = new SimStorage();
        BlockedTables blocked = new BlockedTables(storage);
        try (LsmEngine engine = TestEngines.open(blocked, options(EVERY_GROUP))) {
            Samples.write(engine, put("a", "1"));
            Samples.write(engine, put("b", "2"));
            SimStorage killed = storage.killed();
            blocked.release();
            killed.damage(LOG, 1);
            assertRefused(killed, "up to version 1: its end is missing, and no version");
            assertThat(new Findings(killed).files()).containsExactly("sim/" + LOG);
        }
    }

    /// The stop was cut off, or the manifest found no room: then the log alone tells, as after a crash.
    @Test
    void aLogThatTheManifestDoesNotKnowToBeFinishedIsJudgedAsAfterACrash() throws IOException {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = TestEngines.open(storage, options(NEVER_FULL))) {
            writeAll(engine);
            storage.fail(new Faults(
                    Faults.Kind.ENOSPC,
                    call -> call.operation() == Call.Operation.WRITE
                            && call.file().startsWith(FileNames.MANIFEST)));
        }
        assertThat(storage.faultsHit()).isPositive();
        storage.fail(Faults.NONE);
        assertThat(Objects.requireNonNull(Manifest.read(storage).log(1)).bytes())
                .isZero();
        storage.damage(LOG, END_RECORD_BYTES + 1);
        assertThat(new Findings(storage).problems).isEmpty();
        try (LsmEngine engine = TestEngines.open(storage, options(NEVER_FULL))) {
            assertThat(Samples.scan(engine, "", null)).hasSize(PUTS - 1);
        }
    }

    /// Where the next log could not begin, this one is written on, and gets another end record.
    @Test
    void aLogThatIsWrittenOnBehindItsEndIsFinishedOnce() throws IOException {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = TestEngines.open(storage, options(NEVER_FULL).with(o -> o.preallocatedBytes = 2_048))) {
            storage.fail(new Faults(
                    Faults.Kind.ENOSPC,
                    call -> call.operation() == Call.Operation.WRITE
                            && call.file().startsWith(FileNames.MANIFEST)
                            && storage.faultsHit() == 0));
            int written = 0;
            while (storage.faultsHit() == 0) {
                Samples.write(engine, put("key" + written++, "v".repeat(50)));
            }
            Samples.write(engine, put("behind", "its end"));
        }
        assertThat(new Findings(storage).problems).isEmpty();
        try (LsmEngine engine = TestEngines.open(storage, options(NEVER_FULL))) {
            assertThat(Samples.get(engine, "behind")).isEqualTo("its end");
        }
    }

    /// Neither a change of logs nor a clean stop waits for more of the manifest than one edit.
    @Test
    void theEndOfALogCostsNoSyncWhereALogBeginsAndOneAtAStop() throws IOException {
        SimStorage storage = new SimStorage();
        BlockedTables blocked = new BlockedTables(storage);
        List<Call> syncs = new ArrayList<>();
        LsmOptions options = options(EVERY_GROUP).with(o -> o.manifestBytes = 1 << 20);
        LsmEngine engine = TestEngines.open(blocked, options);
        Samples.write(engine, put("a", "1"));
        storage.observe(call -> {
            if (call.operation() == Call.Operation.SYNC && call.file().startsWith(FileNames.MANIFEST)) {
                syncs.add(call);
            }
        });
        Samples.write(engine, put("b", "2"));
        assertThat(syncs).as("a log for each write").hasSize(1);
        Samples.write(engine, put("c", "3"));
        assertThat(syncs).hasSize(2);
        blocked.release();
        engine.awaitRest();
        syncs.clear();
        engine.close();
        assertThat(syncs).hasSize(1);
        assertThat(Manifest.read(storage).logs())
                .allSatisfy(log -> assertThat(
                                Objects.requireNonNull(Manifest.read(storage).log(log))
                                        .bytes())
                        .isPositive());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShorterLogInADirectoryOfItsOwnIsRefusedThereAndWhenItIsToComeBack(boolean comesBack) throws IOException {
        Path data = folder.resolve("data");
        Path logs = folder.resolve("logs");
        LsmOptions options = LsmOptions.defaults().withMemtable(NEVER_FULL);
        LogPlace apart = LogPlace.in(logs);
        try (LsmEngine engine = LsmEngine.open(data, options.with(o -> o.logPlace = apart))) {
            writeAll(engine);
        }
        Path log = logs.resolve(FileNames.LOG_DIRECTORY).resolve(LOG);
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> LsmEngine.open(
                                data, options.with(o -> o.logPlace = comesBack ? LogPlace.in(data) : apart))
                        .close())
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(log.toString())
                .hasMessageContaining("was finished with " + whole.length);
        Storage storage = LogsApart.find(DiskStorage.open(data.resolve(FileNames.DIRECTORY)));
        assertThat(new Findings(storage).files()).containsExactly(log.toString());
    }

    private static HeapStorage stopped() {
        HeapStorage storage = new HeapStorage();
        try (LsmEngine engine = TestEngines.open(storage, options(NEVER_FULL))) {
            writeAll(engine);
        }
        return storage;
    }

    private static void writeAll(LsmEngine engine) {
        for (int i = 0; i < PUTS; i++) {
            Samples.write(engine, put("key%02d".formatted(i), "value%02d".formatted(i)));
        }
    }

    private static void assertRefused(Storage storage, String why) {
        assertThatThrownBy(() -> TestEngines.open(storage, options(NEVER_FULL)).close())
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(LOG)
                .hasMessageContaining(why);
    }

    private static LsmOptions options(int memtableBytes) {
        return SimOptions.of(1, "always", memtableBytes);
    }
}
