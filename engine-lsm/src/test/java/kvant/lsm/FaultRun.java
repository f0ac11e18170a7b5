package kvant.lsm;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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
///
/// Each write names a key and a key that belongs to it, both with one value that is used once, so that what
/// is read says which write it is from and whether it came alone.
final class FaultRun {

    private static final int WRITES = 14;
    private static final int KEYS = 4;

    // Constant.
    private final long point;
    private final Faults.Kind kind;
    private final boolean sticky;
    private final SimStorage storage = new SimStorage();

    // One thread.
    private final Map<String, String> acknowledged = new TreeMap<>();
    /// Writes that failed in a way that leaves open whether they are in the log.
    private final Map<String, Set<String>> open = new TreeMap<>();
    private boolean logFailed;
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
                    write(engine, i);
                    assertReadsGoOn(engine);
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

    private void write(LsmEngine engine, int number) {
        String key = "key" + number % KEYS;
        String value = "value" + number;
        Write write = settle(engine, WriteBatch.of(List.of(put(key, value), put(key + "+", value))));
        if (write.outcome() == Write.Outcome.APPLIED) {
            assertThat(logFailed).as("acknowledged after the log had failed").isFalse();
            acknowledged.put(key, value);
            open.remove(key);
        } else {
            EngineException failure = write.failure();
            assertThat(failure)
                    .isInstanceOfAny(
                            EngineException.StorageFull.class,
                            EngineException.LogFailed.class,
                            EngineException.Io.class);
            logFailed |= failure instanceof EngineException.LogFailed;
            if (!(failure instanceof EngineException.StorageFull)) {
                open.computeIfAbsent(key, _ -> new HashSet<>()).add(value);
            }
        }
    }

    private void assertReadsGoOn(LsmEngine engine) {
        for (int i = 0; i < KEYS; i++) {
            String key = "key" + i;
            assertThat(Samples.get(engine, key)).isEqualTo(acknowledged.get(key));
        }
        assertThat(Samples.scan(engine, "", null)).hasSize(2 * acknowledged.size());
    }

    /// The disk works again.
    private void assertStateIsSaid(LsmEngine engine) {
        if (logFailed) {
            Write write = settle(engine, WriteBatch.of(put("late", "v")));
            assertThat(write.failure()).isInstanceOf(EngineException.LogFailed.class);
            assertThat(engine.health().checks()).anyMatch(check -> check.name().equals(Health.WRITES) && !check.ok());
        } else if (kind != Faults.Kind.EIO) {
            // First health, without any write: whoever is not ready gets none.
            await().atMost(Duration.ofNanos(Samples.patienceNanos()))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> engine.health().ready() || logFailed(engine));
            if (!logFailed(engine)) {
                assertThat(settle(engine, WriteBatch.of(put("late", "v"))).failure())
                        .matches(failure -> failure == null || failure instanceof EngineException.LogFailed);
            }
        }
    }

    /// A manifest whose sync has failed is noticed only by the next change of the files.
    private static boolean logFailed(LsmEngine engine) {
        return engine.health().checks().stream()
                .anyMatch(check -> !check.ok() && check.detail().contains("restart"));
    }

    private void assertSurvives(SimStorage image) {
        try (LsmEngine engine = open(image)) {
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                List<@Nullable String> allowed = new ArrayList<>(open.getOrDefault(key, Set.of()));
                allowed.add(acknowledged.get(key));
                String found = Samples.get(engine, key);
                assertThat(allowed).as("what %s may have", key).contains(found);
                assertThat(Samples.get(engine, key + "+"))
                        .as("written together")
                        .isEqualTo(found);
            }
            assertThat(Samples.write(engine, put("after", "v"))).isPositive();
        }
        assertThat(image.violations()).isEmpty();
    }

    /// A full disk must not be filled further by what it made fail. Only where nobody knows what the manifest
    /// says, because its sync has failed, files must stay.
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
        } catch (java.io.IOException e) {
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
        LsmOptions options = CrashTest.options(point, "always", 1 + (int) (point / 2 % 2) * 400_000);
        return LsmEngine.open(image, CrashTest.preallocating(point / 4, options), null);
    }

    @Override
    public String toString() {
        return (sticky ? "sticky " : "one ") + kind + " at call " + point + "; calls: " + storage.trace();
    }
}
