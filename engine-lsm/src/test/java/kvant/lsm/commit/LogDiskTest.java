package kvant.lsm.commit;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.SmallDisk;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/// Logs on a disk of their own: each of the two may be full by itself.
class LogDiskTest {

    private static final long HEADROOM_BYTES = 64 << 10;
    private static final String VALUE = "v".repeat(1_000);

    private final SmallDisk tables = new SmallDisk(16 << 20);
    private final SmallDisk logs = new SmallDisk(16 << 20);

    /// The memtable is far from full: without a flush of its own, nothing would ever end its log.
    @Test
    void aFlushMakesRoomWhereLogsHaveTakenIt() {
        logs.setUsableBytes(HEADROOM_BYTES + (100 << 10));
        try (LsmEngine engine = open(8 << 20, 0)) {
            int written = 0;
            while (isWritten(engine, "key" + written)) {
                written++;
            }
            assertThat(written).isBetween(50, 200);

            patiently().until(() -> engine.health().ready());

            Samples.write(engine, put("again", VALUE));
            assertThat(Samples.scan(engine, "", null)).hasSize(written + 1);
        }
    }

    /// No disk tells of a quota: a write is the first to know, and the flush has to come all the same.
    @Test
    void aFlushMakesRoomWhereLogsHaveUsedUpTheirQuota() {
        logs.withQuota().setUsableBytes(100 << 10);
        try (LsmEngine engine = open(8 << 20, 0)) {
            fill(engine);
            int count = 300; // more than fits at a time
            for (int i = 0; i < count; i++) {
                String key = "more" + i;
                if (!isWritten(engine, key)) {
                    patiently().until(() -> isWritten(engine, key));
                }
            }
            assertThat(Samples.scan(engine, "more", null)).hasSize(count);
        }
    }

    /// The space left is too little for a preallocated log, but enough for a growing one. Later there might be too
    /// little for any.
    @Test
    void aFlushMakesRoomBeforeAQuotaIsUsedUp() {
        int bytes = 128 << 10;
        logs.withQuota().setUsableBytes(bytes + (bytes >> 1));
        try (LsmEngine engine = open(options(8 << 20, 0).with(o -> o.preallocatedBytes = bytes))) {
            int[] written = {0};
            patiently().until(() -> {
                Samples.write(engine, put("key" + written[0]++, VALUE)); // none is refused
                return tables.list().stream().anyMatch(name -> FileNames.tableNumber(name) != null);
            });
        }
    }

    @Test
    void whereAQuotaHasRoomAgainNothingIsFlushedForIt() {
        logs.withQuota().setUsableBytes(100 << 10);
        try (LsmEngine engine = open(8 << 20, 0)) {
            double before = logsBegun(engine);
            fill(engine);
            logs.setUsableBytes(16 << 20);
            patiently().until(() -> isWritten(engine, "again") && logsBegun(engine) > before);
            double ended = logsBegun(engine);
            long endedNanos = System.nanoTime();
            long paceNanos = Duration.ofSeconds(1).toNanos(); // of flushes that make room
            patiently().until(() -> System.nanoTime() - endedNanos > paceNanos);
            for (int i = 0; i < 3; i++) {
                Samples.write(engine, put("later" + i, VALUE));
            }
            assertThat(logsBegun(engine)).isEqualTo(ended);
        }
    }

    /// Each attempt ends the log once more.
    @Test
    void aFlushThatFindsNoRoomForTheNextLogIsTriedOnceASecond() {
        AtomicInteger created = new AtomicInteger();
        Storage counting = new ForwardingStorage(logs.withQuota()) {
            @Override
            public WritableFile create(String name) throws IOException {
                created.incrementAndGet();
                return super.create(name);
            }
        };
        try (LsmEngine engine = TestEngines.open(new LogsApart(tables, counting), options(8 << 20, 0))) {
            Samples.write(engine, put("key", VALUE));
            int before = created.get();
            logs.setUsableBytes(0);
            long beginNanos = System.nanoTime();
            patiently().until(() -> {
                assertThat(isWritten(engine, "refused")).isFalse();
                return System.nanoTime() - beginNanos > Duration.ofMillis(700).toNanos();
            });
            int seconds = (int) Duration.ofNanos(System.nanoTime() - beginNanos).toSeconds();
            assertThat(created.get() - before).isBetween(1, seconds + 2);
        }
    }

    /// Until the quota is used up.
    private static void fill(LsmEngine engine) {
        Write last;
        int written = -1;
        do {
            written++;
            last = settle(engine, WriteBatch.of(put("key" + written, VALUE)));
        } while (last.outcome() == Write.Outcome.APPLIED);
        assertThat(written).isBetween(50, 200);
        assertThat(last.failure())
                .isInstanceOf(EngineException.StorageFull.class)
                .hasMessageContaining("the quota on the disk of heap-logs/ is used up: free space there, or have");
    }

    private static boolean isWritten(LsmEngine engine, String key) {
        return settle(engine, WriteBatch.of(put(key, VALUE))).outcome() == Write.Outcome.APPLIED;
    }

    @Test
    void theRefusalNamesTheDiskThatIsFull() {
        try (LsmEngine engine = open(8 << 20, 0)) {
            logs.setUsableBytes(HEADROOM_BYTES / 2);
            assertRefused(engine, "the disk of heap-logs/ is full, only ");
            logs.setUsableBytes(16 << 20);
            patiently().until(() -> engine.health().ready());
            tables.setUsableBytes(HEADROOM_BYTES / 2);
            assertRefused(engine, "the disk of heap-tables/ is full, only ");
        }
    }

    /// They are accepted for longer than puts. A table for each of them would soon be too many.
    @Test
    void deletionsAreNotFlushedOneByOne() {
        try (LsmEngine engine = open(8 << 20, 0)) {
            Samples.write(engine, put("key", VALUE));
            logs.setUsableBytes(HEADROOM_BYTES / 2);
            assertRefused(engine, "the disk of heap-logs/ is full");
            long beginNanos = System.nanoTime();
            double before = logsBegun(engine);
            for (int i = 0; i < 100; i++) {
                Samples.write(engine, delete("key" + i));
            }
            long seconds = Duration.ofNanos(System.nanoTime() - beginNanos).toSeconds();
            assertThat(logsBegun(engine) - before).isLessThanOrEqualTo(seconds + 2);
        }
    }

    private static double logsBegun(LsmEngine engine) {
        return Figures.of(engine).get("kvant_lsm_logs_begun_total{room,grown}");
    }

    /// They take nothing from the tables.
    @Test
    void logsThatAreKeptForChangesGoWhereTheyAreInTheWay() {
        try (LsmEngine engine = open(32 << 10, 1 << 30)) {
            for (int i = 0; i < 200; i++) {
                Samples.write(engine, put("key" + i, VALUE));
            }
            engine.awaitRest();
            long kept = logs.usedBytes();
            assertThat(kept).isGreaterThan(150 << 10);
            tables.setUsableBytes(HEADROOM_BYTES / 2);
            assertRefused(engine, "the disk of heap-tables/ is full");
            assertThat(logs.usedBytes()).isGreaterThanOrEqualTo(kept);
            tables.setUsableBytes(16 << 20);
            logs.setUsableBytes(HEADROOM_BYTES / 2);
            patiently()
                    .until(() ->
                            settle(engine, WriteBatch.of(put("last", VALUE))).outcome() == Write.Outcome.APPLIED
                                    && logs.usedBytes() < kept / 2);
        }
    }

    @Test
    void noLogIsMadeReadyWhereItsDiskIsShort() throws IOException {
        long bytes = 256 << 10;
        logs.setUsableBytes(bytes + HEADROOM_BYTES / 2);
        LsmOptions options = options(8 << 20, 0).with(o -> o.preallocatedBytes = bytes);
        try (LsmEngine engine = open(options)) {
            for (int i = 0; i < 100; i++) {
                Samples.write(engine, put("key" + i, VALUE));
            }
            assertThat(logs.list()).noneMatch(FileNames.LOG_NEXT::equals).hasSize(1);
        }
    }

    private static void assertRefused(LsmEngine engine, String why) {
        patiently()
                .until(() -> settle(engine, WriteBatch.of(List.of(put("refused", VALUE))))
                                        .failure()
                                instanceof EngineException.StorageFull full
                        && String.valueOf(full.getMessage()).contains(why));
    }

    private LsmEngine open(long memtableBytes, long retainedLogBytes) {
        return open(options(memtableBytes, retainedLogBytes));
    }

    private LsmEngine open(LsmOptions options) {
        return TestEngines.open(new LogsApart(tables.named("heap-tables"), logs.named("heap-logs")), options);
    }

    private static LsmOptions options(long memtableBytes, long retainedLogBytes) {
        return SimOptions.of(1, "always", (int) memtableBytes).with(o -> {
            o.headroomBytes = HEADROOM_BYTES;
            o.retainedLogBytes = retainedLogBytes;
            o.table = new TableOptions(4 << 10, 32 << 10);
            o.compaction = CompactionOptions.of(Leveled.above(32 << 10));
            o.values = ValueOptions.DEFAULT;
            o.manifestBytes = 8 << 10;
        });
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos())).pollInterval(Duration.ofMillis(5));
    }
}
