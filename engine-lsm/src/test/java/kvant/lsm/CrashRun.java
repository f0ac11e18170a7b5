package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import kvant.engine.CompletionSink;
import kvant.engine.Durability;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SavedFacts;
import kvant.lsm.sim.SavedImage;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// One history, cut off after each call that the engine makes of its storage: each time a copy of what a
/// power cut or a kill may leave is checked by [CrashCheck].
///
/// The order of the calls is up to the threads of the engine, not to the seed. What can be had again is a state that
/// was found wrong: it is saved as it was before its check, with what was asked of it.
final class CrashRun {

    /// Of a run in which merges have parts.
    static final int FILLING_STEPS = 40;

    /// The parameters of a run.
    ///
    /// @param steps of its history
    /// @param logsApart whether the logs are in a directory of their own
    /// @param mergeThreads that merge in small parts, with full compactions; 0 for one thread without those
    record Kind(
            String durability,
            int steps,
            int memtableBytes,
            int largeValueBytes,
            boolean logsApart,
            int mergeThreads) {}

    // Constant.
    private final long seed;
    private final Kind kind;
    private final LsmOptions options;
    private final History history;
    private final SimStorage storage = new SimStorage();
    private final CheckedStates states = new CheckedStates(storage);
    private final RecordingSink recorded = new RecordingSink();

    // Atomic.
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private volatile @Nullable LsmEngine running;

    // Guarded by the storage.
    private final CrashCheck check;
    private final SplitMerges merges = new SplitMerges();
    private long statesWithValueFiles;
    private long statesInFullMerges;

    CrashRun(long seed, Kind kind) {
        this.seed = seed;
        this.kind = kind;
        LsmOptions usual = SimOptions.of(seed, kind.durability(), kind.memtableBytes());
        this.options = SimOptions.inParts(kind.mergeThreads(), SimOptions.preallocating(seed, usual));
        this.history = new History(kind.steps(), kind.largeValueBytes(), new SplittableRandom(seed));
        this.check = new CrashCheck(options, kind.logsApart(), history);
    }

    long states() {
        return states.count();
    }

    long recoveryCrashes() {
        return check.recoveryCrashes();
    }

    long statesWithValueFiles() {
        return statesWithValueFiles;
    }

    /// States between two parts of a merge of the whole store.
    long statesInFullMerges() {
        return statesInFullMerges;
    }

    /// Merges of which several threads had a part each.
    long splitMerges() {
        return merges.count();
    }

    /// @throws AssertionError with the seed, when a state is wrong
    void run() {
        RandomGenerator random = new SplittableRandom(seed);
        boolean fills = kind.mergeThreads() > 0;
        storage.observe(fills ? _ -> {} : this::crash);
        try (LsmEngine engine = TestEngines.open(files(), options)) {
            running = engine;
            if (fills) {
                fill(engine);
            }
            while (started.get() < history.steps().size() && !states.hasFailed()) {
                submitSome(engine, 1 + random.nextInt(4));
                compactSometimes(engine, random);
                awaitOutcomes();
            }
        }
        storage.observe(_ -> {});
        if (!states.hasFailed()) {
            // A close makes everything durable whatever the policy.
            int all = history.steps().size();
            CrashCheck.Asked asked = new CrashCheck.Asked(all, all, true, random.nextLong());
            states.check(named("the close"), () -> check.check(storage.crashed(random), asked));
            assertThat(storage.openFiles()).as("files left open, seed %d", seed).isZero();
            assertThat(storage.openMaps())
                    .as("mappings left open, seed %d", seed)
                    .isZero();
        }
        states.throwFailure();
    }

    /// Until there are tables enough for merges to have parts, nothing crashes: other kinds of runs begin with nothing.
    private void fill(LsmEngine engine) {
        submitSome(engine, FILLING_STEPS);
        awaitOutcomes();
        TestEngines.maintenance(engine, options).compact(_ -> {});
        storage.observe(this::crash);
    }

    /// Always at the end, when there is most to merge.
    private void compactSometimes(LsmEngine engine, RandomGenerator random) {
        boolean isLast = started.get() == history.steps().size();
        if (kind.mergeThreads() > 0 && (random.nextBoolean() || isLast)) {
            TestEngines.maintenance(engine, options).compact(_ -> {});
        }
    }

    /// For as long as there is progress: under load each state that is checked may take its time.
    private void awaitOutcomes() {
        long checked = -1;
        while (states.count() != checked) {
            checked = states.count();
            try {
                recorded.awaitCompleted(started.get());
                return;
            } catch (AssertionError e) {
                if (states.count() == checked) {
                    throw e;
                }
            }
        }
    }

    private void submitSome(LsmEngine engine, int count) {
        for (int i = 0; i < count && started.get() < history.steps().size(); i++) {
            History.Step step = history.steps().get(started.getAndIncrement());
            engine.submit(new Write(step.batch(), new CompletionSink() {
                @Override
                public void completed(Write write) {
                    Write.Outcome right = step.applies() ? Write.Outcome.APPLIED : Write.Outcome.REFUSED;
                    if (write.outcome() != right) {
                        fail("a write was " + write.outcome() + " instead of " + right, write.failure());
                    }
                    acknowledged.incrementAndGet();
                    recorded.completed(write);
                }

                @Override
                public void wake() {
                    recorded.wake();
                }
            }));
        }
    }

    /// Called under the lock of the storage, so that the state stands still.
    private void crash(Call call) {
        if (states.hasFailed()) {
            return;
        }
        look(call);
        RandomGenerator random = new SplittableRandom(seed * 1_000_003 + call.number());
        boolean killed = random.nextInt(4) == 0;
        boolean durable = options.durability() instanceof Durability.Always;
        int atLeast = killed || durable ? acknowledged.get() : 0;
        int atMost = started.get();
        SimStorage image = killed ? storage.killed() : storage.crashed(random);
        SimStorage unchanged = image.killed(); // the check changes the other one
        statesWithValueFiles += hasValueFiles(unchanged.killed()) ? 1 : 0;
        CrashCheck.Asked asked = new CrashCheck.Asked(atLeast, atMost, !killed || durable, random.nextLong());
        String what = (killed ? "a kill" : "a power cut") + " after " + call;
        if (!states.check(named(what), () -> check.check(image, asked))) {
            save(call, unchanged, asked);
        }
    }

    /// Counts the states in a full merge, so that a run that never reaches one is noticed.
    private void look(Call call) {
        LsmEngine engine = running;
        if (kind.mergeThreads() == 0 || engine == null) {
            return;
        }
        boolean inFullMerge =
                TestEngines.store(engine).fullCompaction().progress().doneBytes() > 0;
        statesInFullMerges += inFullMerge ? 1 : 0;
        if (call.file().startsWith(FileNames.MANIFEST)) {
            merges.look(storage.killed());
        }
    }

    private static boolean hasValueFiles(SimStorage image) {
        try {
            return image.list().stream().anyMatch(file -> FileNames.valuesNumber(file) != null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void save(Call call, SimStorage image, CrashCheck.Asked asked) {
        Properties facts = new Properties();
        SavedFacts.put(facts, kind);
        SavedFacts.put(facts, asked);
        facts.setProperty("seed", Long.toString(seed));
        facts.setProperty("call", Long.toString(call.number()));
        Path folder = Path.of("target", "crash", kind.durability() + "-" + seed + "-" + call.number());
        try {
            SavedImage.save(folder, image, facts);
            System.out.println(
                    "saved: replay it by -Dtest=CrashReplayTest -Dkvant.sim.image=" + folder.toAbsolutePath());
        } catch (IOException e) {
            System.out.println("the state cannot be saved: " + e);
        }
    }

    /// Checks a state that was saved, with the same crashes.
    ///
    /// @return these
    static List<String> replay(SavedImage saved) throws IOException {
        Properties facts = saved.facts();
        CrashRun run = new CrashRun(Long.parseLong(facts.getProperty("seed")), SavedFacts.read(facts, Kind.class));
        return run.check(saved.image(), SavedFacts.read(facts, CrashCheck.Asked.class));
    }

    /// Checks a state of this run.
    ///
    /// @return the crashes that it has met
    List<String> check(SimStorage image, CrashCheck.Asked asked) {
        return check.check(image, asked);
    }

    private void fail(String what, @Nullable Throwable cause) {
        states.fail(named(what), cause);
    }

    private String named(String what) {
        return "seed " + seed + ", " + options.durability() + ": " + what;
    }

    private Storage files() {
        return kind.logsApart() ? new LogsApart(storage, storage.directory("logs")) : storage;
    }
}
