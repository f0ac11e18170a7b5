package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.WritableFile;
import kvant.lsm.store.FullCompaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Level 0 goes into a level of many tables in several threads at once.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelMergeTest {

    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 200;
    private static final int THREADS = 3;
    private static final int LEVEL0_RUNS = 4;

    private final MeetingStorage storage = new MeetingStorage();
    private final TreeMap<String, String> content = new TreeMap<>();

    @Test
    void theThreadsWorkOnPartsOfOneMergeAtOnce() {
        try (LsmEngine engine = open()) {
            write(engine, "first");
            mergeAll(engine);
            storage.expect(THREADS);
            fillLevelZero(engine);
            engine.awaitRest(); // never, if the merge has fewer parts
            assertThat(storage.met()).isEqualTo(THREADS);
            assertHolds(engine);
            assertThat(Figures.of(engine).get("kvant_lsm_runs")).isLessThanOrEqualTo(LEVEL0_RUNS);
        }
        try (LsmEngine engine = open()) {
            assertHolds(engine);
        }
    }

    /// Leftovers of the parts do not prevent the next start.
    @Test
    void anEngineThatIsClosedAmongPartsLosesNothing() throws InterruptedException {
        LsmEngine engine = open();
        write(engine, "first");
        mergeAll(engine);
        storage.expect(THREADS + 1); // more than ever come: the parts continue when the engine is closed
        fillLevelZero(engine);
        await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> storage.met() == THREADS);
        assertHolds(engine);
        Thread closer = Thread.ofPlatform().start(engine::close);
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .until(() -> TestEngines.store(engine).isClosing());
        storage.expect(0);
        closer.join();
        try (LsmEngine again = open()) {
            assertHolds(again);
            again.awaitRest();
            assertHolds(again);
        }
    }

    /// Each group seals what the one before it has written.
    private void fillLevelZero(LsmEngine engine) {
        for (int i = 0; i <= LEVEL0_RUNS; i++) {
            write(engine, "later " + i);
        }
    }

    private void write(LsmEngine engine, String value) {
        Mutation[] all = new Mutation[KEYS];
        for (int i = 0; i < KEYS; i++) {
            String key = "key-%04d".formatted(i);
            content.put(key, value + " of " + key);
            all[i] = Samples.put(key, content.get(key));
        }
        Samples.write(engine, all);
    }

    private void mergeAll(LsmEngine engine) {
        content.put("last", "of the keys");
        Samples.write(engine, Samples.put("last", "of the keys")); // seals what came before
        engine.awaitRest();
        FullCompaction merges = TestEngines.store(engine).fullCompaction();
        long request = merges.request();
        TestEngines.store(engine).signal();
        await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> merges.isDone(request));
    }

    private void assertHolds(LsmEngine engine) {
        TreeMap<String, String> shown = new TreeMap<>();
        Samples.scan(engine, "", null).forEach(entry -> shown.put(entry.key(), entry.value()));
        assertThat(shown).isEqualTo(content);
    }

    private LsmEngine open() {
        LsmOptions options = SimOptions.of(1, "none", EVERY_GROUP)
                .with(o -> o.compaction = new CompactionOptions(new Leveled(LEVEL0_RUNS, 1 << 16, 10), THREADS, 0));
        return TestEngines.open(storage, options);
    }

    /// A compaction thread that begins a table waits there for others.
    private static final class MeetingStorage extends ForwardingStorage {

        // Guarded by this.
        private final Set<Thread> met = new HashSet<>();
        private int expected;

        MeetingStorage() {
            super(new HeapStorage());
        }

        synchronized void expect(int threads) {
            expected = threads;
            notifyAll();
        }

        synchronized int met() {
            return met.size();
        }

        @Override
        public WritableFile create(String name) throws IOException {
            if (FileNames.tableNumber(name) != null
                    && Thread.currentThread().getName().startsWith("kvant-lsm-compaction")) {
                meet();
            }
            return super.create(name);
        }

        private synchronized void meet() throws IOException {
            if (expected > 0) {
                met.add(Thread.currentThread());
                notifyAll();
            }
            while (met.size() < expected) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    }
}
