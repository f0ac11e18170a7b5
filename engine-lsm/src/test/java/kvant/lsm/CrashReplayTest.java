package kvant.lsm;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import kvant.engine.Samples;
import kvant.lsm.sim.SavedFacts;
import kvant.lsm.sim.SavedImage;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A state that [CrashTest] has found wrong is saved, and checked again: `-Dkvant.sim.image=FOLDER`.
class CrashReplayTest {

    private static final CrashRun.Kind KIND = new CrashRun.Kind("always", 10, 1, 100, true, 0);

    @TempDir
    Path folder;

    @Test
    @EnabledIfSystemProperty(named = "kvant.sim.image", matches = ".+")
    void theStateThatWasSavedIsLegal() throws Exception {
        CrashRun.replay(new SavedImage(Path.of(System.getProperty("kvant.sim.image"))));
    }

    @Test
    void aSavedStateIsCheckedAsItWasTheFirstTime() throws Exception {
        SimStorage storage = written();
        CrashRun.replay(SavedImage.save(folder.resolve("sound"), storage, facts(asked(7))));

        try (LsmEngine engine = TestEngines.open(files(storage), SimOptions.of(1, "always", 1))) {
            Samples.write(engine, put("not part of the history", "v"));
        }
        SavedImage wrong = SavedImage.save(folder.resolve("wrong"), storage, facts(asked(7)));
        assertThatThrownBy(() -> CrashRun.replay(wrong)).isInstanceOf(AssertionError.class);
    }

    /// Those that cut off its recovery too.
    @Test
    void theCrashesThatFollowAreTheSameOnceMore() throws Exception {
        SimStorage storage = written();
        CrashRun run = new CrashRun(1, KIND);
        Set<List<String>> all = new HashSet<>();
        for (long seed = 1; seed <= 12; seed++) {
            List<String> crashes = run.check(storage.killed(), asked(seed));
            SavedImage saved = SavedImage.save(folder.resolve("seed-" + seed), storage, facts(asked(seed)));
            assertThat(CrashRun.replay(saved)).as("seed %d", seed).isEqualTo(crashes);
            all.add(crashes);
        }
        assertThat(all).as("each seed has its own").hasSize(12);
        assertThat(run.recoveryCrashes()).isPositive();
    }

    /// Unsynced data that survived a kill can still be lost by a power cut, also after saving and loading the state.
    @Test
    void whatIsNotDurableIsSavedAsSuch() throws IOException {
        SimStorage storage = new SimStorage();
        try (WritableFile file = storage.create("1.log")) {
            file.write(ByteBuffer.wrap(Samples.noise(300, 1)));
            file.sync();
            storage.syncDirectory();
            file.write(ByteBuffer.wrap(Samples.noise(300, 2)));
            file.truncate(500);
            file.write(ByteBuffer.wrap(Samples.noise(300, 3)));
        }
        storage.create("2.log").close();
        storage.rename("1.log", "3.log");
        SimStorage read = SavedImage.save(folder, storage, new Properties()).image();

        Set<Map<String, String>> left = new HashSet<>();
        for (long seed = 1; seed <= 50; seed++) {
            Map<String, String> first = content(storage.crashed(new SplittableRandom(seed)));
            assertThat(content(read.crashed(new SplittableRandom(seed))))
                    .as("seed %d", seed)
                    .isEqualTo(first);
            left.add(first);
        }
        assertThat(left).hasSizeGreaterThan(10);
        assertThat(content(read.killed())).isEqualTo(content(storage));
    }

    private static SimStorage written() {
        SimStorage storage = new SimStorage();
        History history = new History(KIND.steps(), KIND.largeValueBytes(), new SplittableRandom(1));
        try (LsmEngine engine = TestEngines.open(files(storage), SimOptions.of(1, "always", 1))) {
            for (History.Step step : history.steps()) {
                Samples.settle(engine, step.batch());
            }
        }
        return storage;
    }

    private static Storage files(SimStorage storage) {
        return new LogsApart(storage, storage.directory("logs"));
    }

    private static Map<String, String> content(SimStorage storage) throws IOException {
        Map<String, String> content = new TreeMap<>();
        for (String file : storage.files()) {
            content.put(file, Samples.text(storage.bytes(file)));
        }
        return content;
    }

    private static CrashCheck.Asked asked(long seed) {
        return new CrashCheck.Asked(KIND.steps(), KIND.steps(), true, seed);
    }

    private static Properties facts(CrashCheck.Asked asked) {
        Properties facts = new Properties();
        SavedFacts.put(facts, KIND);
        SavedFacts.put(facts, asked);
        facts.setProperty("seed", "1");
        facts.setProperty("call", "7");
        return facts;
    }
}
