package kvant.lsm.changes;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.Manifest;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.LogPlaces;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A log that was ended is written on where the next one could not begin. Records behind its end record are reported.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndedLogTest {

    private static final int SEGMENT_BYTES = 4 << 10;
    private static final int NEVER_FULL = 1 << 20;
    private static final int EVERY_GROUP = 1;
    private static final long PLENTY = 1L << 30;
    private static final int WRITES_BEHIND = 100;

    /// A log that is ready is to follow one whose room is used up, and the manifest has no room for it, once.
    @Test
    void whatIsWrittenBehindAnEndIsToldAlsoAfterARestart() throws IOException {
        SimStorage storage = new SimStorage();
        LsmOptions options = options(NEVER_FULL).with(o -> o.preallocatedBytes = SEGMENT_BYTES);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            storage.fail(new Faults(
                    Faults.Kind.ENOSPC,
                    call -> call.operation() == Call.Operation.WRITE
                            && call.file().startsWith(FileNames.MANIFEST)
                            && storage.faultsHit() == 0));
            int written = 0;
            while (storage.faultsHit() == 0) {
                write(engine, put("key" + written++, "v".repeat(50)));
            }
            String log = newestLog(storage);
            write(engine, put("behind", "its end"));
            assertThat(newestLog(storage)).as("the log that was ended").isEqualTo(log);
            for (int i = 0; i < WRITES_BEHIND; i++) {
                write(engine, put("more" + i, "v".repeat(50)));
            }
            assertIsTold(engine);
        }
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            assertIsTold(engine);
        }
    }

    /// Nothing was in it when it was ended: its first record is no group.
    @Test
    void aLogThatBeginsWithAnEndIsKeptOverARestart() throws IOException {
        HeapStorage storage = new HeapStorage();
        try (LsmEngine engine = TestEngines.open(storage, options(EVERY_GROUP))) {
            for (int i = 0; i < 5; i++) {
                Write settled = settle(engine, WriteBatch.of(put("key" + i, "v" + i)));
                assertThat(settled.outcome()).isEqualTo(Write.Outcome.APPLIED);
            }
            engine.awaitRest();
        }
        long oldest = logNumber(storage);
        assertThat(Manifest.read(storage).logs()).isNotEmpty().doesNotContain(oldest);
        beginWithEnds(storage, oldest);
        try (LsmEngine engine = TestEngines.open(storage, options(EVERY_GROUP))) {
            assertIsTold(engine);
        }
    }

    /// Rewrites a log, with two end records before its group.
    private static void beginWithEnds(HeapStorage storage, long number) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            LogPlaces places = Objects.requireNonNull(LogPlaces.open(storage, number, arena));
            LogPlaces.Group group = Objects.requireNonNull(places.at(LogPlaces.FIRST));
            Payload payload = new Payload();
            payload.putArray(group.payload().toArray(ValueLayout.JAVA_BYTE));
            assertThat(places.at(group.next())).as("a second group").isNull();
            storage.delete(FileNames.log(number));
            FileHeader header = new FileHeader(FileHeader.Kind.LOG, 5, number, FileHeader.Predecessor.NONE);
            try (RecordWriter log =
                    RecordWriter.create(storage, FileNames.log(number), header, ByteBuffer.allocate(1 << 10))) {
                log.append(RecordType.END, group.firstSequence(), new Payload());
                log.append(RecordType.END, group.firstSequence(), new Payload());
                log.append(RecordType.GROUP, group.firstSequence(), payload);
                log.sync();
            }
        }
    }

    private static void assertIsTold(LsmEngine engine) {
        FollowedCopy copy = new FollowedCopy();
        copy.follow(engine, 1 << 10);
        assertThat(copy.entries()).isNotEmpty().isEqualTo(scan(engine, "", null));
    }

    private static long logNumber(Storage storage) throws IOException {
        return storage.list().stream()
                .map(FileNames::logNumber)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static String newestLog(SimStorage storage) {
        return storage.files().stream()
                .filter(file -> FileNames.logNumber(file) != null)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private static LsmOptions options(int memtableBytes) {
        return SimOptions.of(1, "always", memtableBytes).with(o -> o.retainedLogBytes = PLENTY);
    }
}
