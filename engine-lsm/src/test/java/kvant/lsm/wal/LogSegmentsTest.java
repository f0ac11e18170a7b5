package kvant.lsm.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.ActivitySink;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.WritableFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogSegmentsTest {

    private static final int BYTES = 3_000;
    private static final int HEADROOM = 10_000;
    private static final FileHeader HEADER = new FileHeader(FileHeader.Kind.LOG, 5, 7, FileHeader.Predecessor.NONE);

    private final SimStorage storage = new SimStorage();
    private final AtomicInteger creations = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final LogSegments segments = new LogSegments(storage, BYTES, HEADROOM, () -> ActivitySink.NONE);

    @AfterEach
    void nothingStaysOpenOrBehind() {
        segments.close();
        assertThat(storage.openFiles()).isZero();
        assertThat(storage.files()).doesNotContain(FileNames.LOG_NEXT);
    }

    @Test
    void aSegmentIsADurableFileOfZerosThatGetsItsNameWhenItIsTaken() throws IOException {
        assertThat(segments.take("00000007.log")).isNull();
        segments.request();
        await().until(segments::isReady);
        assertThat(storage.files()).containsExactly(FileNames.LOG_NEXT);
        assertThat(storage.hasUnsynced(".log")).isFalse();
        try (WritableFile _ = segments.take("00000007.log")) {
            assertThat(storage.files()).containsExactly("00000007.log");
            assertThat(sizeOf("00000007.log")).isEqualTo(BYTES);
        }
        assertThat(segments.isReady()).isFalse();
    }

    @Test
    void atMostOneIsMadeReady() {
        storage.observe(call -> creations.addAndGet(call.operation() == Call.Operation.CREATE ? 1 : 0));
        for (int i = 0; i < 1_000 || !segments.isReady(); i++) {
            segments.request();
        }
        segments.close();
        assertThat(creations).hasValue(1);
    }

    @Test
    void oneThatWasTakenIsFollowedByAnotherAtOnce() throws IOException {
        for (int number = 1; number <= 5; number++) {
            await().until(() -> {
                segments.request();
                return segments.isReady();
            });
            try (WritableFile taken = segments.take(FileNames.log(number))) {
                assertThat(taken).isNotNull();
            }
        }
    }

    /// As where the process may not have another one.
    @Test
    void withoutAThreadNoneIsMadeReadyUntilThereIsOne() {
        AtomicBoolean fails = new AtomicBoolean(true);
        ThreadFactory threads = task -> {
            if (fails.get()) {
                throw new LinkageError("simulated: no thread can be had");
            }
            return Thread.ofPlatform().unstarted(task);
        };
        try (LogSegments few = new LogSegments(storage, BYTES, HEADROOM, () -> ActivitySink.NONE, threads)) {
            few.request();
            assertThat(few.isReady()).isFalse();
            fails.set(false);
            await().until(() -> {
                few.request();
                return few.isReady();
            });
        }
    }

    @Test
    void theHeadroomOfTheDiskIsLeftAlone() {
        storage.setUsableBytes(HEADROOM + BYTES - 1);
        storage.observe(call -> creations.addAndGet(call.operation() == Call.Operation.CREATE ? 1 : 0));
        storage.fail(new Faults(Faults.Kind.EIO, call -> {
            looks.addAndGet(call.operation() == Call.Operation.USABLE_BYTES ? 1 : 0);
            return false;
        }));
        segments.request();
        await().until(() -> looks.get() == 1);
        segments.close();
        assertThat(creations).hasValue(0);
    }

    @Test
    void whatCannotBeMadeWholeIsDeletedAgainAndNotTriedAllTheTime() {
        storage.fail(new Faults(Faults.Kind.SHORT_ENOSPC, call -> call.operation() == Call.Operation.PREALLOCATE));
        segments.request();
        await().until(() -> storage.faultsHit() == 1 && storage.files().isEmpty());
        await().during(Duration.ofMillis(200)).until(() -> {
            segments.request();
            return storage.faultsHit() == 1;
        });
    }

    /// Each attempt takes what is left of a quota for a moment.
    @Test
    void attemptsThatMeetALimitComeMoreAndMoreSeldom() {
        storage.fail(new Faults(Faults.Kind.SHORT_ENOSPC, call -> call.operation() == Call.Operation.PREALLOCATE));
        long[] seenNanos = new long[4];
        await().atMost(Duration.ofSeconds(25))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    segments.request();
                    int failed = (int) storage.faultsHit();
                    if (seenNanos[failed] == 0) {
                        seenNanos[failed] = System.nanoTime();
                    }
                    return failed == 3;
                });
        assertThat(Duration.ofNanos(seenNanos[3] - seenNanos[2])).isGreaterThan(Duration.ofMillis(1_500));
    }

    /// The log before has ended, which may have made room.
    @Test
    void whatTheLastOneMetIsForgottenWhenTheNextLogBegins() throws IOException {
        storage.fail(new Faults(Faults.Kind.SHORT_ENOSPC, call -> call.operation() == Call.Operation.PREALLOCATE));
        segments.request();
        await().until(segments::metLimit);
        assertThat(segments.take("00000007.log")).isNull();
        assertThat(segments.metLimit()).isFalse();
    }

    /// A flush would not help against that.
    @Test
    void aSegmentThatIsLongerThanAFileMayBeIsNoWantOfRoom() {
        storage.fail(new Faults(Faults.Kind.EFBIG, call -> call.operation() == Call.Operation.PREALLOCATE));
        segments.request();
        await().until(() -> storage.faultsHit() == 1);
        segments.close(); // what was begun has ended then
        assertThat(segments.metLimit()).isFalse();
    }

    @Test
    void aSegmentThatCannotGetItsNameIsGone() {
        segments.request();
        await().until(segments::isReady);
        storage.fail(new Faults(Faults.Kind.EIO, call -> call.operation() == Call.Operation.RENAME));
        assertThatThrownBy(() -> segments.take("00000007.log")).isInstanceOf(IOException.class);
        assertThat(segments.isReady()).isFalse();
        assertThat(storage.files()).isEmpty();
    }

    @Test
    void roomIsGivenBack() {
        segments.request();
        await().until(segments::isReady);
        segments.giveRoomBack();
        assertThat(storage.files()).isEmpty();
        segments.request();
        assertThat(segments.isReady()).as("asked for again at once").isFalse();
    }

    @Test
    void aRetiredLogIsCutToItsRecordsAndClosed() throws IOException {
        segments.request();
        await().until(segments::isReady);
        WritableFile file = segments.take("00000007.log");
        assertThat(file).isNotNull();
        RecordWriter log = RecordWriter.begin(storage, "00000007.log", file, HEADER, ByteBuffer.allocate(100));
        RecordFileTest.append(log, 1, new byte[500]);
        log.sync();
        segments.retire(log);
        await().until(() -> storage.openFiles() == 0);
        assertThat(sizeOf("00000007.log")).isEqualTo(log.size());
    }

    private long sizeOf(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return storage.map(name, arena).byteSize();
        }
    }
}
