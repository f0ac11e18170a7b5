package kvant.lsm;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Samples;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;

/// A short life of an engine whose storage fails for some calls and then works again, cut off after each call from
/// the first of those on (what comes before is [CrashRun]'s): what a power cut or a kill leaves must open, with every
/// write that was acknowledged, and must pass the check. So must
/// what a second one leaves of that.
final class FaultCrashRun {

    private static final int MOST_WRITES = 40;
    private static final int LONGEST_FAULT_CALLS = 12;
    private static final int SECOND_CRASHES = 2;
    private static final int LATEST_FAULT_CALL = 120;
    private static final int CALLS_AFTER_FAULT = 25;
    private static final int WRITES_PER_COMPACTION = 3;

    // Constant.
    private final long seed;
    private final Faults.Kind kind;
    private final long from;
    private final long to;
    private final boolean sparesLog;
    private final int mergeThreads;
    private final LsmOptions options;
    private final SimStorage storage = new SimStorage();
    private final PairedWrites writes = new PairedWrites();
    private final CheckedStates states;

    FaultCrashRun(long seed, Faults.Kind kind) {
        RandomGenerator random = new SplittableRandom(seed);
        this.seed = seed;
        this.kind = kind;
        this.from = 1 + random.nextInt(LATEST_FAULT_CALL);
        this.to = from + 1 + random.nextInt(LONGEST_FAULT_CALLS);
        this.sparesLog = random.nextBoolean(); // else the write before them fails mostly, and none is asked for
        this.mergeThreads = (int) (seed / 2 % 4);
        int memtableBytes = random.nextInt(4) == 0 ? 400_000 : 1;
        LsmOptions usual = SimOptions.of(seed, "always", memtableBytes);
        this.options = SimOptions.inParts(mergeThreads, SimOptions.preallocating(seed, usual));
        this.states = new CheckedStates(storage);
    }

    long states() {
        return states.count();
    }

    /// @throws AssertionError when a state is wrong
    void run() {
        storage.fail(new Faults(kind, this::isFailing));
        storage.observe(this::crash);
        try (LsmEngine engine = open(storage)) {
            for (int i = 0; i < MOST_WRITES && !isOver(); i++) {
                writes.write(engine);
                awaitRoom(engine);
                if (mergeThreads > 0 && i % WRITES_PER_COMPACTION == 0) {
                    compact(engine);
                }
            }
        } catch (EngineException e) { // it was opened while the storage failed
            assertThat(e).isInstanceOfAny(EngineException.CannotOpen.class, EngineException.StorageFull.class);
        } catch (IllegalStateException e) {
            assertThat(kind).as("%s", e).isEqualTo(Faults.Kind.BUG);
        }
        storage.observe(_ -> {});
        states.throwFailure();
    }

    private void compact(LsmEngine engine) {
        try {
            TestEngines.maintenance(engine, options).compact(_ -> {});
        } catch (EngineException _) {
            // Reported to the caller, and nothing is lost by it.
        }
    }

    private boolean isOver() {
        return states.hasFailed() || writes.hasLogFailed() || storage.calls() > to + CALLS_AFTER_FAULT;
    }

    /// As a client would who was refused for want of room: the next write is the one that tries again.
    private void awaitRoom(LsmEngine engine) {
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> writes.hasLogFailed() || isDecided(engine));
    }

    /// Whether writes are taken, or none is until a restart.
    private static boolean isDecided(LsmEngine engine) {
        return engine.health().checks().stream()
                .noneMatch(check -> check.name().equals(Health.WRITES)
                        && !check.ok()
                        && !check.detail().contains("restart"));
    }

    private boolean isFailing(Call call) {
        return call.number() >= from && call.number() < to && (!sparesLog || isBesideLog(call));
    }

    /// Of a kind that keeps files from being created, creations alone.
    private boolean isBesideLog(Call call) {
        return switch (kind) {
            case EIO, ENOSPC, SHORT_ENOSPC, EMFILE -> call.operation() == Call.Operation.CREATE;
            case EFBIG, BUG -> !call.file().endsWith(".log");
        };
    }

    /// Called under the lock of the storage, so that the state stands still.
    private void crash(Call call) {
        if (states.hasFailed() || call.number() < from || call.number() > to + CALLS_AFTER_FAULT) {
            return;
        }
        RandomGenerator random = new SplittableRandom(seed * 1_000_003 + call.number());
        boolean killed = random.nextBoolean();
        SimStorage image = killed ? storage.killed() : storage.crashed(random);
        states.check((killed ? "a kill" : "a power cut") + " after " + call, () -> verify(image, random));
    }

    /// Data once read must survive: the second crash may take only what the first one had left in the page cache.
    private void verify(SimStorage image, RandomGenerator random) {
        List<Samples.Entry> found;
        List<SimStorage> next = new ArrayList<>();
        try (LsmEngine engine = open(image)) {
            writes.assertAnyOutcome(engine);
            found = Samples.scan(engine, "", null);
            for (int i = 0; i < SECOND_CRASHES; i++) {
                next.add(image.crashed(random));
            }
        }
        assertThat(image.violations()).isEmpty();
        for (SimStorage second : next) {
            assertSound(second);
            try (LsmEngine engine = open(second)) {
                assertThat(Samples.scan(engine, "", null)).as("opened again").isEqualTo(found);
                assertThat(Samples.write(engine, put("after", "v"))).isPositive();
            }
            assertThat(second.violations()).isEmpty();
        }
    }

    private void assertSound(SimStorage image) {
        try {
            assertThat(new Findings(files(image)).problems).isEmpty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private LsmEngine open(SimStorage image) {
        return TestEngines.open(files(image), options);
    }

    /// Of every fourth life the logs are in a directory of their own.
    private Storage files(SimStorage image) {
        return seed % 4 == 3 ? new LogsApart(image, image.directory("logs")) : image;
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + kind + " from call " + from + " to " + to + (sparesLog ? ", not of the log" : "")
                + ", merge threads " + mergeThreads;
    }
}
