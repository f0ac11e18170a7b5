package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import kvant.engine.ActivitySink;
import kvant.engine.Durability;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingFile;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.WritableFile;
import org.junit.jupiter.api.Test;

/// A write reports the time of its steps in the engine; an observer gets the activities that kept all writes waiting.
class CommitStepsTest {

    private static final long SYNC_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final LsmOptions OPTIONS = LsmOptions.defaults().with(o -> o.durability = Durability.ALWAYS);

    private final Told told = new Told();

    @Test
    void theStepsOfAWriteFollowEachOtherAndASlowSyncIsOneOfThem() {
        try (LsmEngine engine = TestEngines.open(new SlowLogs(), OPTIONS)) {
            engine.observe(told);
            long beginNanos = System.nanoTime();
            Write.Steps steps = write(engine, "key");
            long endNanos = System.nanoTime();
            assertThat(List.of(
                            beginNanos,
                            steps.beganNanos(),
                            steps.appendedNanos(),
                            steps.syncedNanos(),
                            steps.appliedNanos(),
                            endNanos))
                    .isSorted();
            assertThat(steps.syncedNanos() - steps.appendedNanos()).isGreaterThanOrEqualTo(SYNC_NANOS);
            assertThat(told.during).contains("log sync");
        }
    }

    @Test
    void aLogThatIsMadeReadyAndAChangeOfLogsAreTold() {
        try (LsmEngine engine = TestEngines.open(new SlowLogs(), OPTIONS.with(o -> o.preallocatedBytes = 4096))) {
            engine.observe(told);
            await().until(() -> {
                write(engine, "key");
                return told.during.contains("log change");
            });
            await().until(() -> told.ended.contains("log preallocation"));
        }
    }

    private static Write.Steps write(LsmEngine engine, String key) {
        Write write = Samples.settle(engine, WriteBatch.of(Samples.put(key, "v".repeat(500))));
        assertThat(write.outcome()).isEqualTo(Write.Outcome.APPLIED);
        Write.Steps steps = write.steps();
        assertThat(steps).isNotNull();
        return steps;
    }

    /// Records the activities, in order.
    private static final class Told implements ActivitySink {

        private final ConcurrentHashMap<Long, String> running = new ConcurrentHashMap<>();
        private final ConcurrentLinkedQueue<String> ended = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<String> during = new ConcurrentLinkedQueue<>();

        @Override
        public synchronized long began(String kind) {
            long id = running.size() + ended.size() + 1L;
            running.put(id, kind);
            return id;
        }

        @Override
        public synchronized void ended(long id) {
            String kind = running.remove(id);
            if (kind != null) {
                ended.add(kind);
            }
        }

        @Override
        public void during(String kind, long beginNanos, long endNanos) {
            assertThat(endNanos - beginNanos).isPositive();
            during.add(kind);
        }
    }

    /// A disk that takes its time to sync a log.
    private static final class SlowLogs extends ForwardingStorage {

        SlowLogs() {
            super(new HeapStorage());
        }

        @Override
        public WritableFile create(String name) throws IOException {
            WritableFile file = super.create(name);
            boolean log = name.equals(FileNames.LOG_NEXT) || FileNames.logNumber(name) != null;
            return log ? new SlowLog(file) : file;
        }
    }

    private static final class SlowLog extends ForwardingFile {

        SlowLog(WritableFile file) {
            super(file);
        }

        @Override
        public void sync() throws IOException {
            long endNanos = System.nanoTime() + SYNC_NANOS;
            while (System.nanoTime() - endNanos < 0) {
                Thread.onSpinWait();
            }
            super.sync();
        }
    }
}
