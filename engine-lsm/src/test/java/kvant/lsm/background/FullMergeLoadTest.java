package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.WritableFile;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Levels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Everything is merged on demand while writes go on: level 0 does not grow until it slows them down. However fast the
/// machine is, merges may write so many tables for each flush.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullMergeLoadTest {

    private static final long SEED = Seeds.seed(35);
    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 50_000;
    private static final int TABLES_FOR_EACH_FLUSH = 11;
    private static final int SLOW_RUNS = 14;

    private final RationedStorage storage = new RationedStorage();
    private final Map<String, String> content = new TreeMap<>();
    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void levelZeroStaysBelowWhatSlowsWritesDown() {
        try (LsmEngine engine = open()) {
            for (int from = 0; from < KEYS; from += 5_000) {
                write(engine, from, 5_000, 1);
            }
            for (int i = 0; i < 12; i++) { // all over the keys, so that each level overlaps the next
                write(engine, random.nextInt(12), KEYS / 12, 12);
            }
            engine.awaitRest();
            storage.ration(true);
            Store store = TestEngines.store(engine);
            FullCompaction merges = store.operators().requests().fullCompaction();
            long request = merges.request();
            store.operators().changes().signal();
            int most = 0;
            int flushes = 0;
            while (!merges.isDone(request)) {
                write(engine, random.nextInt(KEYS / 100), 100, KEYS / 100);
                storage.grant(TABLES_FOR_EACH_FLUSH);
                await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> isFlushed(store) && storage.isStarved() || merges.isDone(request));
                most = Math.max(most, levelZeroRuns(store));
                assertThat(++flushes).as("seed %d: it ends", SEED).isLessThan(1_000);
            }
            storage.ration(false);
            assertThat(flushes).as("long enough for level 0 to fill").isGreaterThan(SLOW_RUNS);
            assertThat(most).as("seed %d: runs of level 0", SEED).isLessThan(SLOW_RUNS);
            engine.awaitRest();
            content.forEach((key, value) -> assertThat(Samples.get(engine, key)).isEqualTo(value));
        }
    }

    private static boolean isFlushed(Store store) {
        return store.readers().current().sealed().isEmpty();
    }

    private static int levelZeroRuns(Store store) {
        return (int) store.readers().current().version().runs().stream()
                .filter(run -> Levels.levelOf(run.id()) == 0)
                .count();
    }

    /// Each so many keys behind the one before, round and round.
    private void write(LsmEngine engine, int from, int count, int step) {
        Mutation[] group = new Mutation[count];
        for (int i = 0; i < count; i++) {
            String key = "key-%05d".formatted((from + i * step) % KEYS);
            content.put(key, "value " + random.nextInt());
            group[i] = Samples.put(key, content.get(key));
        }
        Samples.write(engine, group);
    }

    private LsmEngine open() {
        LsmOptions options = SimOptions.of(SEED, "none", EVERY_GROUP).with(o -> {
            o.table = new TableOptions(256, 4 << 10);
            o.throttle =
                    new WriteThrottle(Duration.ofMillis(1), Duration.ofHours(1), SLOW_RUNS, 36, 16L << 30, 64L << 30);
            o.compaction = CompactionOptions.of(new Leveled(4, 64 << 10, 10));
        });
        return TestEngines.open(storage, options);
    }

    /// A table that a merge begins takes one of the ration, and waits for it.
    private static final class RationedStorage extends ForwardingStorage {

        // Guarded by this.
        private boolean rationed;
        private boolean waiting;
        private int left;

        RationedStorage() {
            super(new HeapStorage());
        }

        synchronized void ration(boolean on) {
            rationed = on;
            notifyAll();
        }

        synchronized void grant(int tables) {
            left += tables;
            waiting = false;
            notifyAll();
        }

        synchronized boolean isStarved() {
            return waiting && left == 0;
        }

        @Override
        public WritableFile create(String name) throws IOException {
            if (FileNames.tableNumber(name) != null
                    && Thread.currentThread().getName().startsWith("kvant-lsm-compaction")) {
                take();
            }
            return super.create(name);
        }

        private synchronized void take() throws IOException {
            while (rationed && left == 0) {
                waiting = true;
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            left -= rationed ? 1 : 0;
        }
    }
}
