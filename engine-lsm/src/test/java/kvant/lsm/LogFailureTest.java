package kvant.lsm;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The log fails, and what was acknowledged before its sync is in memory alone.
@Timeout(120)
class LogFailureTest {

    private static final int WRITES = 12;
    private static final int CALLS = 60;
    private static final int MEMTABLE_BYTES = 400_000;
    private static final int LONG_VALUE_BYTES = 8 << 20;
    private static final Duration LIMIT = Duration.ofNanos(Samples.timeoutNanos());

    private static boolean isOfLog(Call call) {
        return call.file().endsWith(".log");
    }

    private static void awaitFlush(LsmEngine engine) {
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> engine.store().readers().current().sealed().isEmpty());
    }

    /// Each call of the logs fails once, and all those after it: writes, syncs, and the beginning of the next log.
    @ParameterizedTest
    @CsvSource({"interval=60000, 1", "interval=60000, 400000", "none, 1", "none, 400000"})
    void whatWasAcknowledgedSurvivesAPowerCutAfterTheLogHasFailed(String durability, int memtableBytes)
            throws Exception {
        int failed = 0;
        for (long point = 1; point <= CALLS; point++) {
            SimStorage storage = new SimStorage();
            PairedWrites writes = new PairedWrites();
            long seed = point;
            LsmOptions options = SimOptions.of(seed, durability, memtableBytes);
            try (LsmEngine engine = TestEngines.open(storage, options)) {
                long begin = storage.calls();
                storage.fail(new Faults(
                        Faults.Kind.EIO,
                        call -> call.number() >= begin + seed && isOfLog(call) && isWriteOrSync(call)));
                for (int i = 0; i < WRITES && !writes.hasLogFailed(); i++) {
                    writes.write(engine);
                    writes.assertReadsGoOn(engine);
                }
                if (!writes.hasLogFailed()) {
                    continue; // it was written before, or the last group was
                }
                failed++;
                awaitFlush(engine);
                storage.fail(Faults.NONE);
                assertSurvives(storage.crashed(new SplittableRandom(seed)), writes, options, seed);
                assertSurvives(storage.killed(), writes, options, seed);
            }
            assertSurvives(storage.crashed(new SplittableRandom(seed)), writes, options, seed);
            assertThat(storage.violations()).isEmpty();
            assertThat(storage.openFiles()).isZero();
        }
        assertThat(failed).isPositive();
    }

    private static boolean isWriteOrSync(Call call) {
        return switch (call.operation()) {
            case WRITE, SYNC, CREATE -> true;
            case LIST, PREALLOCATE, TRUNCATE, MAP, RENAME, DELETE, SYNC_DIRECTORY, USABLE_BYTES -> false;
        };
    }

    /// Also a second start: what the first one made of the log that had failed.
    private static void assertSurvives(SimStorage image, PairedWrites writes, LsmOptions options, long seed)
            throws IOException {
        List<Samples.Entry> found;
        try (LsmEngine engine = TestEngines.open(image, options)) {
            writes.assertAnyOutcome(engine);
            found = Samples.scan(engine, "", null);
        }
        assertThat(new Findings(image).problems).isEmpty();
        SimStorage second = image.crashed(new SplittableRandom(seed));
        try (LsmEngine engine = TestEngines.open(second, options)) {
            assertThat(Samples.scan(engine, "", null)).isEqualTo(found);
            assertThat(Samples.write(engine, put("after", "v"))).isPositive();
        }
        assertThat(second.violations()).isEmpty();
    }

    /// The log holds a group that was taken back: its sync failed, which came at once, because writing it took longer
    /// than the interval. Nor could it be deleted, or there was no time for that before a crash.
    @Test
    void aLogThatHoldsMoreThanTheTablesIsFoundAtTheNextStart() throws Exception {
        SimStorage storage = new SimStorage();
        LsmOptions options = SimOptions.of(1, "interval=1", LONG_VALUE_BYTES);
        SimStorage killed;
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            Samples.write(engine, put("a", "1"));
            await().atMost(LIMIT).until(() -> !storage.hasUnsynced(".log"));
            Set<Call.Operation> failing = Set.of(Call.Operation.SYNC, Call.Operation.DELETE);
            storage.fail(new Faults(Faults.Kind.EIO, call -> isOfLog(call) && failing.contains(call.operation())));

            Write write = settle(engine, WriteBatch.of(put("long", "v".repeat(LONG_VALUE_BYTES))));

            assertThat(write.failure()).isInstanceOf(EngineException.OutcomeUnknown.class);
            assertThat(Samples.get(engine, "long")).isNull();
            awaitFlush(engine);
            storage.fail(Faults.NONE);
            killed = storage.killed();
        }
        try (LsmEngine engine = TestEngines.open(killed, options)) {
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
        }
        assertThat(new Findings(killed).problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval=60000", "none"})
    void aCloseWhoseLastSyncFailsFlushesWhatItWasFor(String durability) throws Exception {
        SimStorage storage = new SimStorage();
        PairedWrites writes = new PairedWrites();
        LsmOptions options = SimOptions.of(1, durability, MEMTABLE_BYTES);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < WRITES; i++) {
                writes.write(engine);
            }
            storage.fail(new Faults(Faults.Kind.EIO, call -> isOfLog(call) && call.operation() == Call.Operation.SYNC));
        }
        assertThat(storage.faultsHit()).isPositive();
        storage.fail(Faults.NONE);

        assertSurvives(storage.crashed(new SplittableRandom(1)), writes, options, 1);
    }

    /// The log that is open is in the directory, wherever that is.
    @ParameterizedTest
    @ValueSource(strings = {"interval=60000", "none"})
    void whatWasAcknowledgedIsSyncedBeforeWritesStopForADirectoryThatHasGone(String durability) throws Exception {
        SimStorage storage = new SimStorage();
        AtomicBoolean gone = new AtomicBoolean();
        Storage moved = new ForwardingStorage(storage) {
            @Override
            public @Nullable String displaced() {
                return gone.get() ? "it has gone" : null;
            }
        };
        PairedWrites writes = new PairedWrites();
        LsmOptions options = SimOptions.of(1, durability, MEMTABLE_BYTES);
        try (LsmEngine engine = TestEngines.open(moved, options)) {
            writes.write(engine);
            gone.set(true);
            await().atMost(LIMIT).until(() -> {
                writes.write(engine);
                return writes.hasLogFailed();
            });

            assertSurvives(storage.crashed(new SplittableRandom(1)), writes, options, 1);
        }
    }

    @Test
    @Timeout(20) // less than the longest wait
    void aDiskThatFailsWhollyDoesNotKeepTheEngineFromClosing() {
        SimStorage storage = new SimStorage();
        PairedWrites writes = new PairedWrites();
        try (LsmEngine engine = TestEngines.open(storage, SimOptions.of(1, "none", MEMTABLE_BYTES))) {
            writes.write(engine);
            Predicate<Call> all = call -> true;
            storage.fail(new Faults(Faults.Kind.EIO, all));
            writes.write(engine);
            assertThat(writes.hasLogFailed()).isTrue();
            await().atMost(LIMIT).until(() -> engine.store().health().flushFailure() != null);
        } catch (EngineException.Io e) {
            assertThat(e).hasMessageContaining("cannot close the store"); // the disk again
        }
        assertThat(storage.openFiles()).isZero();
    }
}
