package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import kvant.lsm.sim.Faults;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Faults and crashes together: while some calls of the storage fail, the engine is cut off after each call.
///
/// `-Dkvant.tries=N` runs N lives for each kind of fault, `-Dkvant.seed=S` begins with seed S.
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultCrashTest {

    private static final long FIRST_SEED = Seeds.seed(20);
    private static final int LIVES = Seeds.tries(8, 24);
    private static final int AT_ONCE = 8;

    /// The engine warns of each fault. Held here, because the logging system drops unreferenced loggers.
    private static final Logger ENGINE_LOG = Logger.getLogger("kvant");

    @BeforeAll
    static void silence() {
        ENGINE_LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        ENGINE_LOG.setLevel(null);
    }

    /// Without EMFILE, which refuses a write before anything is written: see NoDescriptorTest.
    @ParameterizedTest
    @EnumSource(value = Faults.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "EMFILE")
    void everyStateAfterACrashBesideAFaultIsLegal(Faults.Kind kind) throws Exception {
        long states = 0;
        try (ExecutorService lives = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Callable<Long>> runs = new ArrayList<>();
            for (int i = 0; i < LIVES; i++) {
                FaultCrashRun run = new FaultCrashRun(FIRST_SEED + i, kind);
                runs.add(() -> states(run));
            }
            for (Future<Long> life : lives.invokeAll(runs)) {
                states += ended(life);
            }
        }
        assertThat(states).isGreaterThan(LIVES);
        System.out.printf("%s: %d lives, %d states%n", kind, LIVES, states);
    }

    private static long states(FaultCrashRun run) {
        try {
            run.run();
            return run.states();
        } catch (Throwable e) {
            throw new AssertionError(run.toString(), e);
        }
    }

    private static long ended(Future<Long> life) throws InterruptedException {
        try {
            return life.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        }
    }
}
