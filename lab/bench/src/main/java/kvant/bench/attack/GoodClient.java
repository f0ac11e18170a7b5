package kvant.bench.attack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import kvant.bench.process.Generator;
import kvant.bench.process.LoadMeasurement;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Window;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// The client whose service is measured: puts and gets of small values at a constant, modest rate over a few
/// connections, timed from their due times, throughout a trial. The values of gets are verified.
///
/// The load runs on a separate thread; the thread of the trial ends it.
final class GoodClient {

    private static final long KEYS = 500;

    /// Longer than a value that a node writes without reserving memory.
    private static final int VALUE_BYTES = 2000;

    private static final int CONNECTIONS = 4;
    private static final double RATE = 200;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    // Constant.
    private final StopSwitch stop = new StopSwitch();
    private final CompletableFuture<RunResult> run;

    // Guarded by itself.
    private final List<Stretch> stretches = new ArrayList<>();

    /// A stretch of time, and the requests completed in it.
    ///
    /// @param beginNanos of `System.nanoTime`
    /// @param errors requests without the wanted result
    record Stretch(long beginNanos, long endNanos, long errors, Histogram response) {

        /// True if nearly all due requests completed in it.
        boolean isBusy() {
            return response.getTotalCount() > RATE * (endNanos - beginNanos) / 1e9 / 2;
        }

        double p99Millis() {
            return LoadMeasurement.millis(response, 99);
        }
    }

    private GoodClient(LoadPlan plan) {
        run = CompletableFuture.supplyAsync(
                () -> LoadRun.run(plan, stop, new Listener()),
                work -> Thread.ofPlatform().daemon().name("good-client").start(work));
    }

    /// Puts the keys, and starts the load.
    static GoodClient start(Target target, Effort effort) {
        LoadPlan plan = Generator.plan(target, "mixed", KEYS, VALUE_BYTES, CONNECTIONS);
        Generator.fill(plan);
        return new GoodClient(plan.with(p -> {
            p.verify = true;
            p.clients = plan.clients().with(c -> {
                c.timeout = effort.patience();
                c.giveUp = LONGEST;
            });
            p.pace = Pace.open(RATE, LONGEST).with(pace -> pace.window = effort.window());
        }));
    }

    /// Ends the load; idempotent.
    LoadMeasurement end() {
        stop.stop();
        try {
            return new LoadMeasurement(run.join());
        } catch (CompletionException e) {
            throw new UserException("the good client failed: " + e.getMessage(), e);
        }
    }

    /// The stretches completed so far.
    List<Stretch> stretches() {
        synchronized (stretches) {
            return List.copyOf(stretches);
        }
    }

    /// Called on the thread of the load.
    private final class Listener implements Progress {

        private Histogram interval = new Histogram(3);
        private long lengthNanos;

        @Override
        public void interval(Histogram response, long fromNanos, long length) {
            interval = response.copy();
            lengthNanos = length;
        }

        @Override
        public void measured(Window window, double seconds, double ofSeconds) {
            long end = System.nanoTime();
            synchronized (stretches) {
                stretches.add(new Stretch(end - lengthNanos, end, window.errors(), interval));
            }
        }
    }
}
