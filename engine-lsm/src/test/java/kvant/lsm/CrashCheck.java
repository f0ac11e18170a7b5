package kvant.lsm;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.engine.Samples;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// The check of a state that a crash may have left: it opens with a prefix of the history that has every
/// acknowledged write, also when its recovery is cut off, and again after further crashes.
///
/// The crashes follow from the seed of the request, so that a saved state meets the same ones again. Their outcome also
/// depends on the threads of the engine. Belongs to one thread at a time.
final class CrashCheck {

    private static final int MAX_CHAIN = 5;
    private static final int MAX_RECOVERY_CALLS = 40;

    /// The expectations of a state, and the seed of its check.
    ///
    /// @param atLeast so many steps of the history it has
    /// @param atMost and no more than these
    /// @param powerCuts whether its recovery may lose power; what only the page cache has survives kills alone
    /// @param checkSeed of the crashes that follow
    record Asked(int atLeast, int atMost, boolean powerCuts, long checkSeed) {}

    // Constant.
    private final LsmOptions options;
    private final boolean logsApart;
    private final History history;

    // One thread at a time.
    private List<String> crashes = List.of();
    private long recoveryCrashes;

    CrashCheck(LsmOptions options, boolean logsApart, History history) {
        // Whatever the policy of the crashed engine was: what is written from now on must stay.
        this.options = options.withDurability(Durability.ALWAYS);
        this.logsApart = logsApart;
        this.history = history;
    }

    /// The number of recoveries that were cut off, over all states.
    long recoveryCrashes() {
        return recoveryCrashes;
    }

    /// @param image which is changed
    /// @return the crashes that it has met, in order
    List<String> check(SimStorage image, Asked asked) {
        crashes = new ArrayList<>();
        RandomGenerator random = new SplittableRandom(asked.checkSeed());
        boolean cutsRecovery = random.nextInt(4) == 0;
        SimStorage reached = cutsRecovery ? crashRecoveries(image, asked.powerCuts(), random) : image;
        verify(reached, asked, random);
        return List.copyOf(crashes);
    }

    private void verify(SimStorage image, Asked asked, RandomGenerator random) {
        List<Samples.Entry> found;
        SimStorage next;
        try (LsmEngine engine = open(image)) {
            found = scan(engine, "", null);
            assertPrefix(found, asked.atLeast(), asked.atMost());
            found.forEach(entry -> assertThat(Samples.get(engine, entry.key())).isEqualTo(entry.value()));
            next = random.nextInt(3) == 0 ? image : crashOrKill(image, seed("when read", random));
        }
        assertNothingForbidden(image);
        // Data once read must survive the next crash.
        SimStorage last;
        try (LsmEngine engine = open(next)) {
            assertThat(scan(engine, "", null)).as("opened again").isEqualTo(found);
            write(engine, put("new", "value"));
            last = crashOrKill(next, seed("after a write", random));
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
            int calls = 1 + random.nextInt(MAX_RECOVERY_CALLS);
            long at = before.calls() + calls;
            long seed = seed("call " + calls + " of recovery", random); // also where there are fewer calls
            AtomicReference<@Nullable SimStorage> caught = new AtomicReference<>();
            before.observe(call -> {
                if (call.number() == at) {
                    caught.set(powerCuts ? crashOrKill(before, seed) : before.killed());
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

    /// A crash has randomness of its own: how much it takes depends on what the threads have written by then, and
    /// later ones must not depend on that.
    private long seed(String when, RandomGenerator random) {
        long seed = random.nextLong();
        crashes.add(when + ": " + seed);
        return seed;
    }

    private static SimStorage crashOrKill(SimStorage image, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        return random.nextInt(3) == 0 ? image.killed() : image.crashed(random);
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
        return TestEngines.open(files(image), options);
    }

    private Storage files(SimStorage image) {
        return logsApart ? new LogsApart(image, image.directory("logs")) : image;
    }

    private static void assertNothingForbidden(SimStorage image) {
        assertThat(image.violations()).isEmpty();
        assertThat(image.openFiles()).as("files left open").isZero();
        assertThat(image.openMaps()).as("mappings left open").isZero();
    }
}
