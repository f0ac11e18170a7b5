package kvant.lsm;

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
import org.junit.jupiter.params.provider.CsvSource;

/// The Nth call of the storage fails, for each N until a whole life of the engine has passed without it.
///
/// Most of the time goes into waiting for the engine to try again, so many runs are in progress at once.
/// `-Dkvant.sim.points=1` tries every N, larger numbers every so many.
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultTest {

    private static final int STRIDE = Integer.getInteger("kvant.sim.points", 8);
    private static final int AT_ONCE = 24;

    /// The engine warns of each fault; here they come by the thousand. Held here, because the logging system drops
    /// unreferenced loggers.
    private static final Logger ENGINE_LOG = Logger.getLogger("kvant");

    @BeforeAll
    static void silence() {
        ENGINE_LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        ENGINE_LOG.setLevel(null);
    }

    @ParameterizedTest
    @CsvSource({
        "EIO, false",
        "EIO, true",
        "ENOSPC, false",
        "ENOSPC, true",
        "SHORT_ENOSPC, false",
        "SHORT_ENOSPC, true",
        "EFBIG, false",
        "EFBIG, true",
        "BUG, false"
    })
    void anyCallMayFail(Faults.Kind kind, boolean sticky) throws Exception {
        long points = 0;
        try (ExecutorService lives = Executors.newFixedThreadPool(AT_ONCE)) {
            boolean clean = false;
            for (long from = 1 + kind.ordinal(); !clean; from += (long) AT_ONCE * STRIDE) {
                List<Callable<FaultRun>> batch = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    FaultRun run = new FaultRun(from + (long) i * STRIDE, kind, sticky);
                    batch.add(() -> runNamed(run));
                }
                for (Future<FaultRun> life : lives.invokeAll(batch)) {
                    FaultRun ended = ended(life);
                    clean |= !ended.wasReached();
                    points += ended.wasHit() ? 1 : 0;
                }
            }
        }
        System.out.printf("%s %s: %d points%n", sticky ? "sticky" : "one", kind, points);
    }

    private static FaultRun runNamed(FaultRun run) {
        try {
            run.run();
            return run;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(run.toString(), e);
        }
    }

    private static FaultRun ended(Future<FaultRun> life) throws InterruptedException {
        try {
            return life.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        }
    }
}
