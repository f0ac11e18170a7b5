package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Concurrent work during a long merge, which holds only its own memory and files.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongMergeTest {

    private static final int EVERY_GROUP = 1;
    private static final int FLUSHES = 8;
    private static final String MERGES = "kvant_lsm_compactions_running";

    private final SimStorage storage = new SimStorage();
    /// Those that were active before the merge began, or when it did.
    private final List<WeakReference<Memtable>> memtables = new ArrayList<>();
    private int writes;

    @Test
    void obsoleteLogsAreDeletedWhileAMergeRuns() {
        try (LsmEngine engine = mergingForEver()) {
            write(engine, FLUSHES);
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> logs() <= 2);
            assertThat(Figures.of(engine).get(MERGES)).as("the merge goes on").isEqualTo(1);
        }
    }

    @Test
    void aMergeHoldsNoMemtable() {
        try (LsmEngine engine = mergingForEver()) {
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> {
                System.gc();
                return memtables.stream().allMatch(memtable -> memtable.refersTo(null));
            });
            assertThat(Figures.of(engine).get(MERGES)).as("the merge goes on").isEqualTo(1);
        }
    }

    /// An engine with one merge, which writes a byte a second. What was active when it began has been flushed since.
    private LsmEngine mergingForEver() {
        LsmOptions options = SimOptions.of(2, "always", EVERY_GROUP)
                .with(o -> o.compaction = new CompactionOptions(new Universal(2, 3), 1, 1));
        LsmEngine engine = TestEngines.open(storage, options);
        while (Figures.of(engine).get(MERGES) == 0) {
            write(engine, 1);
            memtables.add(new WeakReference<>(
                    TestEngines.store(engine).readers().current().active()));
        }
        write(engine, 2);
        return engine;
    }

    private void write(LsmEngine engine, int count) {
        for (int i = 0; i < count; i++) {
            Samples.write(engine, Samples.put("key" + writes++, "value"));
        }
    }

    private long logs() {
        return storage.files().stream().filter(name -> name.endsWith(".log")).count();
    }
}
