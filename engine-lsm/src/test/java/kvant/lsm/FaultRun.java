package kvant.lsm;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import org.jspecify.annotations.Nullable;

/// A short life of an engine whose storage fails at one call, or from one call on.
/// See [PairedWrites].
final class FaultRun {

    private static final int WRITES = 14;

    // Constant.
    private final long point;
    private final Faults.Kind kind;
    private final boolean sticky;
    private final SimStorage storage = new SimStorage();

    // One thread.
    private final PairedWrites writes = new PairedWrites();
    private boolean reached;
    private boolean hit;

    // Guarded by the storage, until the engine is closed.
    private boolean syncFailed;

    FaultRun(long point, Faults.Kind kind, boolean sticky) {
        this.point = point;
        this.kind = kind;
        this.sticky = sticky;
    }

    /// Whether the fault came before the end of the run.
    boolean wasReached() {
        return reached;
    }

    /// Whether a call was made to fail; not every kind fits every call.
    boolean wasHit() {
        return hit;
    }

    void run() {
        storage.fail(new Faults(kind, this::isFailing));
        LsmEngine engine = tryOpen();
        if (engine != null) {
            try (engine) {
                for (int i = 0; i < WRITES; i++) {
                    writes.write(engine);
                    writes.assertReadsGoOn(engine);
                }
                reached = storage.calls() >= point;
                if (point % 2 == 0) { // else it is closed, and killed, while it still fails
                    storage.fail(Faults.NONE);
                    assertStateIsSaid(engine);
                }
                assertSurvives(storage.crashed(new SplittableRandom(point)));
                assertSurvives(storage.killed());
            }
        } else {
            reached = true;
        }
        hit = storage.faultsHit() > 0;
        storage.fail(Faults.NONE);
        assertThat(storage.violations()).isEmpty();
        assertThat(storage.openFiles()).as("files left open").isZero();
        assertThat(storage.openMaps()).as("mappings left open").isZero();
        assertNothingLeftBehind();
        assertSurvives(storage.crashed(new SplittableRandom(point)));
    }

    /// Called under the lock of the storage.
    private boolean isFailing(Call call) {
        boolean failing = sticky ? call.number() >= point : call.number() == point;
        syncFailed |= failing && call.operation() == Call.Operation.SYNC;
        return failing;
    }

    private @Nullable LsmEngine tryOpen() {
        try {
            return open(storage);
        } catch (EngineException e) {
            assertThat(e).isInstanceOfAny(EngineException.CannotOpen.class, EngineException.StorageFull.class);
            return null;
        } catch (IllegalStateException e) {
            assertThat(kind).isEqualTo(Faults.Kind.BUG);
            return null;
        }
    }

    /// The disk works again.
    private void assertStateIsSaid(LsmEngine engine) {
        if (writes.hasLogFailed()) {
            Write write = settle(engine, WriteBatch.of(put("late", "v")));
            assertThat(write.failure()).isInstanceOf(EngineException.LogFailed.class);
            assertThat(engine.health().checks()).anyMatch(check -> check.name().equals(Health.WRITES) && !check.ok());
        } else if (kind != Faults.Kind.EIO) {
            // A call that has failed before the disk worked again may still be on its way to the health: one of a
            // flush and one of a compaction.
            int refused = 0;
            while (!logFailed(engine) && isRefusedThoughReady(engine)) {
                assertThat(++refused)
                        .as("writes refused while the node is ready")
                        .isLessThanOrEqualTo(2);
            }
        }
    }

    /// Checks health first, without a write: an engine that is not ready gets none.
    private static boolean isRefusedThoughReady(LsmEngine engine) {
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> engine.health().ready() || logFailed(engine));
        if (logFailed(engine)) {
            return false;
        }
        EngineException failure =
                settle(engine, WriteBatch.of(put("late", "v"))).failure();
        boolean refused = failure instanceof EngineException.StorageFull;
        assertThat(failure).matches(it -> it == null || refused || it instanceof EngineException.LogFailed);
        return refused;
    }

    /// A manifest whose sync has failed is noticed only by the next change of the files.
    private static boolean logFailed(LsmEngine engine) {
        return engine.health().checks().stream()
                .anyMatch(check -> !check.ok() && check.detail().contains("restart"));
    }

    private void assertSurvives(SimStorage image) {
        try (LsmEngine engine = open(image)) {
            writes.assertAnyOutcome(engine);
            assertThat(Samples.write(engine, put("after", "v"))).isPositive();
        }
        assertThat(image.violations()).isEmpty();
    }

    /// A full disk must not be filled further by leftovers of failed work. Files must stay only where the content of
    /// the manifest is uncertain, because its sync has failed.
    private void assertNothingLeftBehind() {
        if (kind == Faults.Kind.EIO || kind == Faults.Kind.BUG || syncFailed) {
            return;
        }
        try {
            ManifestState state = Manifest.read(storage);
            assertThat(storage.files())
                    .as("files that the manifest does not name")
                    .allSatisfy(file -> assertThat(isKnown(state, file))
                            .as(file + " beside " + state.logs())
                            .isTrue());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isKnown(ManifestState state, String file) {
        Long log = FileNames.logNumber(file);
        Long table = FileNames.tableNumber(file);
        return log != null && state.logs().contains(log)
                || table != null && state.hasTable(table)
                || file.startsWith(FileNames.MANIFEST);
    }

    private LsmEngine open(SimStorage image) {
        LsmOptions options = SimOptions.of(point, "always", 1 + (int) (point / 2 % 2) * 400_000);
        return TestEngines.open(image, SimOptions.preallocating(point / 4, options));
    }

    @Override
    public String toString() {
        return (sticky ? "sticky " : "one ") + kind + " at call " + point + "; calls: " + storage.trace();
    }
}
