package kvant.lsm.read;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.engine.Cursor;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.StoreHome;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotReleaseTest {

    @Test
    void theEndOfAScanDoesNotWaitForTheManifest() throws Exception {
        SimStorage storage = new SimStorage();
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        RecordingSink sink = new RecordingSink();
        try (LsmEngine engine = TestEngines.open(storage, SimOptions.of(1, "always", 1))) {
            Samples.write(engine, put("a", "1"));
            Cursor cursor = engine.scan(new byte[0], null);
            storage.observe(call -> {
                if (call.operation() == Call.Operation.SYNC && call.file().startsWith("MANIFEST")) {
                    syncing.countDown();
                    awaitQuietly(released); // the thread that syncs the manifest holds the store's lock
                }
            });
            engine.submit(new Write(WriteBatch.of(put("b", "2")), sink));
            syncing.await();
            CompletableFuture.runAsync(cursor::close).get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS);
            assertThat(sink.completed())
                    .as("the manifest is still being synced")
                    .isEmpty();
            released.countDown();
            sink.awaitCompleted(1);
            storage.observe(_ -> {});
        } finally {
            released.countDown();
        }
    }

    @Test
    void aScanThatOutlivesItsEngineUnmapsWhatOnlyItHeld() {
        SimStorage storage = new SimStorage();
        LsmOptions options = SimOptions.of(1, "always", 1);
        LsmEngine engine = TestEngines.open(storage, options);
        Samples.write(engine, put("a", "1"));
        Samples.write(engine, put("b", "2"));
        engine.awaitRest();
        try (Cursor _ = engine.scan(new byte[0], null)) {
            Samples.write(engine, put("c", "3"));
            new StoreHome.Simulated().maintenance(engine, options).compact(_ -> {});
            engine.close();
            assertThat(storage.openMaps())
                    .as("what was merged while the scan held it")
                    .isPositive();
        }
        assertThat(storage.openMaps()).isZero();
        assertThat(storage.files())
                .as("the merged tables are left for the next start")
                .filteredOn(name -> name.endsWith(".table"))
                .hasSizeGreaterThan(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
