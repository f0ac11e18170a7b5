package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import kvant.engine.GroupCommit;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.background.Compactor;
import kvant.lsm.background.FlushThread;
import kvant.lsm.commit.CommitLog;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.recover.Recovery;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;
import kvant.lsm.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When a later step of opening fails, started threads are ended first, then their files are closed.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpeningTest {

    private final SimStorage storage = new SimStorage();
    private final LsmOptions options = SimOptions.of(1, "always", 1); // each group is flushed

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theCommitThreadEndsAndClosesItsLog() throws IOException {
        try (Opening opening = new Opening()) {
            openAll(opening, storage);
            write(opening, "a");
            assertThat(threadsOf("kvant-lsm-commit")).isEqualTo(1);
        }
        assertThat(threadsOf("kvant-lsm-commit")).isZero();
        assertNothingIsOpen("a");
    }

    @Test
    void filesAreClosedWhenTheFlushHasEnded() throws Exception {
        HeldFlush disk = new HeldFlush(storage);
        Opening opening = new Opening();
        openAll(opening, disk);
        opening.flush.start();
        opening.compactor.start();
        write(opening, "a");
        write(opening, "b"); // seals the memtable of the one before
        disk.begun.await();
        Thread closer = Thread.ofPlatform().start(() -> closeQuietly(opening));
        try {
            await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                    .until(() -> isClosing(opening)
                            && (closer.getState() == Thread.State.WAITING
                                    || closer.getState() == Thread.State.TERMINATED));
            assertThat(closer.getState()).as("it waits for the flush").isEqualTo(Thread.State.WAITING);
        } finally {
            disk.released.countDown();
        }
        closer.join();
        assertThat(threadsOf("kvant-lsm-")).isZero();
        assertNothingIsOpen("b");
    }

    @Test
    void theThreadThatSavesTheClockEnds() {
        LsmParts parts = new LsmParts() {
            @Override
            public GroupCommit.Log aroundCommits(GroupCommit.Log log, MemtableFlush flush) {
                throw new OutOfMemoryError("simulated");
            }
        };
        Path data = folder.resolve("data");
        assertThatThrownBy(() -> LsmEngine.open(data, options, parts)).isInstanceOf(OutOfMemoryError.class);
        await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> threadsOf("kvant-expiry") == 0);
        LsmEngine.open(data, options).close();
    }

    @Test
    void whatIsCompleteStaysOpen() throws IOException {
        Opening opening = new Opening();
        try (opening) {
            openAll(opening, storage);
            opening.complete();
        }
        write(opening, "a");
        opening.commits.close();
        opening.store.close();
        assertNothingIsOpen("a");
    }

    /// As the constructor of the engine does, up to its last step.
    private void openAll(Opening opening, Storage disk) throws IOException {
        Supplier<Memtable> memtables = () -> new ArenaMemtable(options.memtableBytes());
        Recovery recovered = Recovery.run(disk, options, memtables);
        opening.recovered = recovered;
        ExpiryClock clock = ExpiryClock.of(options.clock());
        Store store = new Store(
                disk,
                options,
                new Store.Parts(memtables, _ -> 0, clock),
                recovered.versions(),
                recovered.memtable(),
                recovered.lastSequence());
        opening.store = store;
        opening.log = new CommitLog(store, options.throttle(), recovered.recoveredLogs());
        opening.flush = new FlushThread(store);
        opening.compactor = new Compactor(store, LsmEngine.urgency(options.throttle()), () -> false);
        opening.commits = new GroupCommit("kvant-lsm-commit", options.commit(), opening.log);
    }

    private static void write(Opening opening, String key) {
        RecordingSink sink = new RecordingSink();
        opening.commits.submit(new Write(WriteBatch.of(Samples.put(key, "value")), sink));
        sink.awaitCompleted(1);
    }

    private static boolean isClosing(Opening opening) {
        return opening.store.isClosing();
    }

    private static long threadsOf(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .count();
    }

    private void assertNothingIsOpen(String key) {
        assertThat(storage.openFiles()).as("files").isZero();
        assertThat(storage.openMaps()).as("mappings").isZero();
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            assertThat(Samples.get(engine, key)).isEqualTo("value");
        }
    }

    private static void closeQuietly(Opening opening) {
        try {
            opening.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Tells that a table is begun, and has it wait.
    private static final class HeldFlush extends ForwardingStorage {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        HeldFlush(Storage storage) {
            super(storage);
        }

        @Override
        public WritableFile create(String name) throws IOException {
            if (FileNames.tableNumber(name) != null) {
                begun.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return super.create(name);
        }
    }
}
