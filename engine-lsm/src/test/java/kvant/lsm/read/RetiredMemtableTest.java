package kvant.lsm.read;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.engine.Cursor;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmParts;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.ForwardingMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.Reading;
import kvant.lsm.sim.SimStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A flushed memtable gives its memory back once it has no readers, and no reader notices.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetiredMemtableTest {

    private static final int MEMTABLE_BYTES = 16 << 10;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final LsmParts parts = new LsmParts() {
        @Override
        public Memtable memtable(long expectedBytes) {
            return new SlowMemtable(new ArenaMemtable(expectedBytes));
        }
    };

    @Test
    void aGetThatComesToItTooLateFindsItsKeyInTheTables() throws Exception {
        try (LsmEngine engine = TestEngines.open(new SimStorage(), SimOptions.of(1, "none", MEMTABLE_BYTES), parts)) {
            Samples.write(engine, put("slow", "value"));
            Memtable memtable = TestEngines.store(engine).readers().current().active();
            CompletableFuture<@Nullable String> get = CompletableFuture.supplyAsync(() -> Samples.get(engine, "slow"));
            assertThat(reached.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS))
                    .isTrue();
            try {
                flush(engine, memtable);
                await("the memory of what was flushed").until(() -> !isHeld(memtable));
            } finally {
                released.countDown();
            }
            assertThat(get.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isEqualTo("value");
        }
    }

    @Test
    void theEndOfTheLastScanThatNeedsItGivesItBack() {
        released.countDown();
        try (LsmEngine engine = TestEngines.open(new SimStorage(), SimOptions.of(1, "none", MEMTABLE_BYTES), parts)) {
            Samples.write(engine, put("a", "1"));
            Memtable memtable = TestEngines.store(engine).readers().current().active();
            List<Cursor> scans = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                scans.add(engine.scan(new byte[0], null));
            }
            assertThat(scans.getFirst().next()).isTrue();
            scans.getFirst().close();
            assertThat(isHeld(memtable)).as("by the store").isTrue();
            flush(engine, memtable);
            await("that scans read tables").until(() -> !isHeld(memtable));
            for (Cursor scan : scans.subList(1, 3)) {
                assertThat(Samples.rest(scan)).extracting(Samples.Entry::key).containsExactly("a");
                scan.close();
            }
        }
    }

    private static boolean isHeld(Memtable memtable) {
        boolean held = memtable.acquire();
        if (held) {
            memtable.release();
        }
        return held;
    }

    private static void flush(LsmEngine engine, Memtable memtable) {
        for (int i = 0;
                TestEngines.store(engine).readers().current().memtables().contains(memtable);
                i++) {
            Samples.write(engine, put("more-" + i, "x".repeat(1_000)));
        }
        engine.awaitRest();
    }

    /// Holds up who looks for the key `slow`, once it was written.
    private final class SlowMemtable extends ForwardingMemtable {

        SlowMemtable(Memtable records) {
            super(records);
        }

        @Override
        public @Nullable Lookup find(byte[] key, long hash, long newestTag, Reading reading) {
            if (Samples.text(key).equals("slow")) {
                reached.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return super.find(key, hash, newestTag, reading);
        }
    }
}
