package kvant.lsm;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import kvant.engine.CompletionSink;
import kvant.engine.Durability;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SavedImage;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// One history, cut off after each call that the engine makes of its storage: each time a copy of what a
/// power cut or a kill may leave is opened, and must hold a prefix of the history that has every
/// acknowledged write.
final class CrashRun {

    private static final int MAX_CHAIN = 5;
    private static final int MAX_RECOVERY_CALLS = 40;

    /// What a run does.
    ///
    /// @param steps of its history
    /// @param logsApart whether the logs are in a directory of their own
    record Kind(String durability, int steps, int memtableBytes, int largeValueBytes, boolean logsApart) {

        static Kind of(Properties facts) {
            return new Kind(
                    facts.getProperty("durability"),
                    Integer.parseInt(facts.getProperty("steps")),
                    Integer.parseInt(facts.getProperty("memtable.bytes")),
                    Integer.parseInt(facts.getProperty("large.value.bytes")),
                    Boolean.parseBoolean(facts.getProperty("logs.apart")));
        }

        void describe(Properties facts) {
            facts.setProperty("durability", durability);
            facts.setProperty("steps", Integer.toString(steps));
            facts.setProperty("memtable.bytes", Integer.toString(memtableBytes));
            facts.setProperty("large.value.bytes", Integer.toString(largeValueBytes));
            facts.setProperty("logs.apart", Boolean.toString(logsApart));
        }
    }

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

    // Guarded by the storage.
    private long recoveryCrashes;
    private long statesWithValueFiles;

    CrashRun(long seed, Kind kind) {
        this.seed = seed;
        this.kind = kind;
        this.options = SimOptions.preallocating(seed, SimOptions.of(seed, kind.durability(), kind.memtableBytes()));
        this.history = new History(kind.steps(), kind.largeValueBytes(), new SplittableRandom(seed));
    }

    long states() {
        return states.count();
    }

    long recoveryCrashes() {
        return recoveryCrashes;
    }

    long statesWithValueFiles() {
        return statesWithValueFiles;
    }

    /// @throws AssertionError with the seed, when a state is wrong
    void run() {
        storage.observe(this::crash);
        RandomGenerator random = new SplittableRandom(seed);
        try (LsmEngine engine = TestEngines.open(files(storage), options)) {
            while (started.get() < history.steps().size() && !states.hasFailed()) {
                submitSome(engine, 1 + random.nextInt(4));
                awaitOutcomes();
            }
        }
        storage.observe(_ -> {});
        if (!states.hasFailed()) {
            // A close makes everything durable whatever the policy.
            int all = history.steps().size();
            states.check(named("the close"), () -> verify(storage.crashed(random), all, all, random));
            assertThat(storage.openFiles()).as("files left open, seed %d", seed).isZero();
            assertThat(storage.openMaps())
                    .as("mappings left open, seed %d", seed)
                    .isZero();
        }
        states.throwFailure();
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
        RandomGenerator random = new SplittableRandom(randomSeed(call.number()));
        boolean killed = random.nextInt(4) == 0;
        boolean durable = options.durability() instanceof Durability.Always;
        int atLeast = killed || durable ? acknowledged.get() : 0;
        int atMost = started.get();
        SimStorage image = killed ? storage.killed() : storage.crashed(random);
        statesWithValueFiles += hasValueFiles(image) ? 1 : 0;
        boolean passed = states.check(named((killed ? "a kill" : "a power cut") + " after " + call), () -> {
            // What only the page cache has survives further kills, but no power cut.
            SimStorage reached = random.nextInt(4) == 0 ? crashRecoveries(image, !killed || durable, random) : image;
            verify(reached, atLeast, atMost, random);
        });
        if (!passed) {
            save(call, atLeast, atMost);
        }
    }

    private static boolean hasValueFiles(SimStorage image) {
        try {
            return image.list().stream().anyMatch(file -> FileNames.valuesNumber(file) != null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The storage stands still, so that the same state is made once more: the check has changed the first one.
    private void save(Call call, int atLeast, int atMost) {
        RandomGenerator random = new SplittableRandom(randomSeed(call.number()));
        boolean killed = random.nextInt(4) == 0;
        Properties facts = new Properties();
        kind.describe(facts);
        facts.setProperty("seed", Long.toString(seed));
        facts.setProperty("call", Long.toString(call.number()));
        facts.setProperty("at.least", Integer.toString(atLeast));
        facts.setProperty("at.most", Integer.toString(atMost));
        Path folder = Path.of("target", "crash", kind.durability() + "-" + seed + "-" + call.number());
        try {
            SavedImage.save(folder, killed ? storage.killed() : storage.crashed(random), facts);
            System.out.println(
                    "saved: replay it by -Dtest=CrashReplayTest -Dkvant.sim.image=" + folder.toAbsolutePath());
        } catch (IOException e) {
            System.out.println("the state cannot be saved: " + e);
        }
    }

    /// Checks a state that was saved.
    void replay(SavedImage saved) throws IOException {
        Properties facts = saved.facts();
        verify(
                saved.image(),
                Integer.parseInt(facts.getProperty("at.least")),
                Integer.parseInt(facts.getProperty("at.most")),
                new SplittableRandom(randomSeed(Long.parseLong(facts.getProperty("call")))));
    }

    private long randomSeed(long call) {
        return seed * 1_000_003 + call;
    }

    private void fail(String what, @Nullable Throwable cause) {
        states.fail(named(what), cause);
    }

    private String named(String what) {
        return "seed " + seed + ", " + options.durability() + ": " + what;
    }

    private void verify(SimStorage image, int atLeast, int atMost, RandomGenerator random) {
        List<Samples.Entry> found;
        SimStorage next;
        try (LsmEngine engine = open(image)) {
            found = scan(engine, "", null);
            assertPrefix(found, atLeast, atMost);
            found.forEach(entry -> assertThat(Samples.get(engine, entry.key())).isEqualTo(entry.value()));
            next = random.nextInt(3) == 0 ? image : crashOrKill(image, random);
        }
        assertNothingForbidden(image);
        // What has been seen once stays, whatever happens.
        SimStorage last;
        try (LsmEngine engine = open(next)) {
            assertThat(scan(engine, "", null)).as("opened again").isEqualTo(found);
            write(engine, put("new", "value"));
            last = crashOrKill(next, random);
        }
        assertNothingForbidden(next);
        if (random.nextInt(4) == 0) {
            try (LsmEngine engine = open(last)) {
                assertThat(Samples.get(engine, "new"))
                        .as("written after the crash")
                        .isEqualTo("value");
                assertThat(scan(engine, "", "new")).as("opened once more").isEqualTo(found);
            }
        }
    }

    /// Recovery is cut off, again and again, at random calls.
    private SimStorage crashRecoveries(SimStorage image, boolean powerCuts, RandomGenerator random) {
        SimStorage current = image;
        for (int left = 1 + random.nextInt(MAX_CHAIN); left > 0; left--) {
            SimStorage before = current;
            long at = before.calls() + 1 + random.nextInt(MAX_RECOVERY_CALLS);
            AtomicReference<@Nullable SimStorage> caught = new AtomicReference<>();
            before.observe(call -> {
                if (call.number() == at) {
                    caught.set(powerCuts ? crashOrKill(before, random) : before.killed());
                }
            });
            open(before).close();
            before.observe(_ -> {});
            SimStorage after = caught.get();
            current = after == null ? before : after;
            recoveryCrashes++;
        }
        return current;
    }

    private void assertPrefix(List<Samples.Entry> found, int atLeast, int atMost) {
        for (int length = atLeast; length <= atMost; length++) {
            if (history.state(length).equals(found)) {
                return;
            }
        }
        assertThat(shown(found))
                .as("not what %d to %d steps leave; shown beside %d", atLeast, atMost, atLeast)
                .isEqualTo(shown(history.state(atLeast)));
    }

    private static List<String> shown(List<Samples.Entry> entries) {
        return entries.stream()
                .map(entry -> entry.key() + "=" + entry.value().length() + " bytes, version " + entry.version())
                .toList();
    }

    private LsmEngine open(SimStorage image) {
        // Whatever the policy of the crashed engine was: what is written from now on must stay.
        return TestEngines.open(files(image), options.withDurability(Durability.ALWAYS));
    }

    private Storage files(SimStorage image) {
        return kind.logsApart() ? new LogsApart(image, image.directory("logs")) : image;
    }

    private static void assertNothingForbidden(SimStorage image) {
        assertThat(image.violations()).isEmpty();
        assertThat(image.openFiles()).as("files left open").isZero();
        assertThat(image.openMaps()).as("mappings left open").isZero();
    }

    private static SimStorage crashOrKill(SimStorage image, RandomGenerator random) {
        return random.nextInt(3) == 0 ? image.killed() : image.crashed(random);
    }
}
