package kvant.lab.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.lab.LabException;
import kvant.lab.schedule.Arrivals;
import kvant.lab.workload.RequestForms;
import kvant.lab.workload.RequestSource;

/// Puts keys 0 to N - 1, each until it is acknowledged, as fast as the server takes them.
public final class Prefill {

    /// Requests in flight on one connection, where the run itself asks for fewer.
    private static final int DEPTH = 4;

    /// Refusals per key before the server is taken at its word.
    private static final long MOST_FAILURES_PER_KEY = 20;

    private static final long LEAST_FAILURES = 10_000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration PATIENCE = Duration.ofHours(24);

    private Prefill() {}

    /// @return how long it took, in seconds
    /// @throws LabException where the server does not take the keys
    public static double run(LoadPlan plan, long keys, StopSwitch stop, Progress progress) {
        Clients clients =
                plan.clients().withDepth(Math.max(DEPTH, plan.clients().depth()));
        Pace pace = Pace.closed(PATIENCE).withLaw(Arrivals.Law.CLOSED);
        LoadPlan fill = new LoadPlan(
                plan.target(), plan.workload(), plan.headers(), plan.body(), clients, pace, 0, plan.seed(), false, 0);
        RequestForms forms = fill.forms();
        List<FillRequests> fills = new ArrayList<>();
        int threads = clients.threads();
        for (int thread = 0; thread < threads; thread++) {
            RequestSource source = new RequestSource(plan.workload(), forms, 0, thread, threads, plan.seed());
            fills.add(new FillRequests(source, keys, thread, threads, clients.connections() * clients.depth()));
        }
        LoopCrew crew = LoopCrew.connect(fill, stop, fills::get);
        long start = crew.start();
        watch(crew, fills, keys, start, stop, progress);
        crew.awaitEnd();
        return (System.nanoTime() - start) / 1e9;
    }

    private static void watch(
            LoopCrew crew, List<FillRequests> fills, long keys, long start, StopSwitch stop, Progress progress) {
        long lostSince = 0;
        while (!crew.isFinished()) {
            stop.sleep(LOOK_NANOS);
            long now = System.nanoTime();
            long done = fills.stream().mapToLong(FillRequests::done).sum();
            long failures = fills.stream().mapToLong(FillRequests::failures).sum();
            progress.filled(done, keys, (now - start) / 1e9);
            lostSince = crew.openConnections() > 0 || crew.isFinished() ? 0 : lostSince == 0 ? now : lostSince;
            if (stop.isStopped()) {
                abandon(crew, "stopped while filling, after " + done + " of " + keys + " keys");
            }
            if (lostSince != 0 && now - lostSince > TimeUnit.SECONDS.toNanos(10)) {
                abandon(crew, "the server is gone after " + done + " of " + keys + " keys: " + crew.lastTrouble());
            }
            if (failures > LEAST_FAILURES + MOST_FAILURES_PER_KEY * keys) {
                abandon(
                        crew,
                        "the server refuses to be filled: " + done + " of " + keys + " keys after " + failures
                                + " refusals; try curl -X PUT on one key");
            }
        }
    }

    private static void abandon(LoopCrew crew, String why) {
        crew.control.cancel();
        crew.awaitEnd();
        throw new LabException(why);
    }
}
