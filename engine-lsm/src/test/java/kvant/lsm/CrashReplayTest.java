package kvant.lsm;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Properties;
import java.util.SplittableRandom;
import kvant.engine.Samples;
import kvant.lsm.sim.SavedImage;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A state that [CrashTest] has found wrong is saved, and checked again: `-Dkvant.sim.image=FOLDER`.
class CrashReplayTest {

    private static final CrashRun.Kind KIND = new CrashRun.Kind("always", 10, 1, 100, true);

    @TempDir
    Path folder;

    @Test
    @EnabledIfSystemProperty(named = "kvant.sim.image", matches = ".+")
    void theStateThatWasSavedIsLegal() throws Exception {
        replay(new SavedImage(Path.of(System.getProperty("kvant.sim.image"))));
    }

    @Test
    void aSavedStateIsCheckedAsItWasTheFirstTime() throws Exception {
        SimStorage storage = new SimStorage();
        Storage files = new LogsApart(storage, storage.directory("logs"));
        History history = new History(KIND.steps(), KIND.largeValueBytes(), new SplittableRandom(1));
        try (LsmEngine engine = TestEngines.open(files, SimOptions.of(1, "always", 1))) {
            for (History.Step step : history.steps()) {
                Samples.settle(engine, step.batch());
            }
        }
        SavedImage sound = SavedImage.save(folder.resolve("sound"), storage, facts());
        replay(sound);

        try (LsmEngine engine = TestEngines.open(files, SimOptions.of(1, "always", 1))) {
            Samples.write(engine, put("not part of the history", "v"));
        }
        SavedImage wrong = SavedImage.save(folder.resolve("wrong"), storage, facts());
        assertThatThrownBy(() -> replay(wrong)).isInstanceOf(AssertionError.class);
    }

    private static Properties facts() {
        Properties facts = new Properties();
        KIND.describe(facts);
        facts.setProperty("seed", "1");
        facts.setProperty("call", "7");
        facts.setProperty("at.least", Integer.toString(KIND.steps()));
        facts.setProperty("at.most", Integer.toString(KIND.steps()));
        return facts;
    }

    private static void replay(SavedImage saved) throws Exception {
        Properties facts = saved.facts();
        new CrashRun(Long.parseLong(facts.getProperty("seed")), CrashRun.Kind.of(facts)).replay(saved);
    }
}
