package kvant.lsm.recover;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.operate.Findings;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogPair;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logs change their place, cut off after each call of the storage: what is left has every write where its file says
/// that the logs are, and the change can be begun again.
class LogMoveCrashTest {

    private static final int LIVES = Seeds.tries(2);
    private static final Path STORE = Path.of("/store");
    private static final LogPair PAIR = new LogPair("0123456789abcdef".repeat(2), Path.of("/logs"));

    /// The disk after a crash in the change.
    private record Left(String what, SimStorage image) {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyStateAfterACrashInAChangeIsLegal(boolean out) throws IOException {
        for (long seed = Seeds.seed(1); seed < Seeds.seed(1) + LIVES; seed++) {
            LsmOptions options = SimOptions.of(seed, "always", 4_000);
            RandomGenerator random = new SplittableRandom(seed);
            int writes = seed % 2 == 0 ? 0 : 40; // none: a log that holds nothing goes too
            SimStorage store = crashedStore(options, !out, writes, random);
            List<Samples.Entry> entries = entries(store.killed(), options);
            assertThat(entries).hasSizeGreaterThanOrEqualTo(writes / 4);
            List<Left> left = changed(store, out, options, random);
            assertThat(left).hasSizeGreaterThan(20);
            for (Left state : left) {
                assertThat(entries(state.image().killed(), options))
                        .as("seed %d, %s", seed, state.what())
                        .isEqualTo(entries);
                change(state.image(), out, options);
                assertThat(entries(state.image(), options))
                        .as("seed %d, begun again after %s", seed, state.what())
                        .isEqualTo(entries);
                assertThat(logs(out ? state.image() : state.image().directory("logs")))
                        .as("logs at the old place, seed %d, %s", seed, state.what())
                        .isEmpty();
                assertThat(state.image().violations()).isEmpty();
            }
        }
    }

    /// A store that had no time to close: its last log is not finished.
    private static SimStorage crashedStore(LsmOptions options, boolean apart, int writes, RandomGenerator random)
            throws IOException {
        SimStorage store = new SimStorage();
        if (apart) {
            change(store, true, options);
        }
        try (LsmEngine engine = TestEngines.open(files(store), options)) {
            for (int i = 0; i < writes; i++) {
                write(engine, put("key" + random.nextInt(30), "v".repeat(random.nextInt(400))));
            }
            return random.nextBoolean() ? store.killed() : store.crashed(random);
        }
    }

    private static List<Left> changed(SimStorage store, boolean out, LsmOptions options, RandomGenerator random)
            throws IOException {
        List<Left> left = new ArrayList<>();
        store.observe(call -> {
            left.add(new Left("a power cut after " + call, store.crashed(random)));
            left.add(new Left("a kill after " + call, store.killed()));
        });
        change(store, out, options);
        store.observe(_ -> {});
        return left;
    }

    /// As an opening does it, where the logs are not at their place yet.
    private static void change(SimStorage store, boolean out, LsmOptions options) throws IOException {
        boolean apart = LogPair.read(store) != null;
        if (apart != out) {
            Storage logs = store.directory("logs");
            if (out) {
                LogMove.out(store, logs, PAIR, STORE, recovery(options));
            } else {
                LogMove.back(store, logs, recovery(options));
            }
        }
    }

    private static List<Samples.Entry> entries(SimStorage image, LsmOptions options) throws IOException {
        Storage files = files(image);
        assertThat(new Findings(files).problems).isEmpty();
        try (LsmEngine engine = TestEngines.open(files, options)) {
            return scan(engine, "", null);
        }
    }

    /// As an opening finds them.
    private static Storage files(SimStorage image) throws IOException {
        if (LogPair.read(image) == null) {
            return image;
        }
        Storage logs = image.directory("logs");
        assertThat(Objects.requireNonNull(LogPair.read(logs)).id()).isEqualTo(PAIR.id());
        return new LogsApart(image, logs);
    }

    private static List<String> logs(Storage directory) throws IOException {
        return directory.list().stream().filter(FileNames::isLog).toList();
    }

    private static LsmOptions recovery(LsmOptions options) {
        return options.with(o -> {
            o.retainedLogBytes = 1 << 30; // which would keep the logs that are to go
            o.random = new Random(1);
        });
    }
}
