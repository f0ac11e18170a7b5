package kvant.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import kvant.load.host.HostFacts;
import kvant.load.http.Target;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Failure;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.SlowestRequests;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.run.RunResult;
import kvant.load.workload.Workload;

/// A result of `kvant load` with a known law, written by the classes that write real ones.
///
/// @param medianMillis of a log-normal law
/// @param failedShare of the requests, which fail at once with 503
/// @param timeouts of the requests, which are never answered
/// @param lagMillis by which the generator is late
/// @param partial why it ended early, or empty
public record SyntheticLoad(
        double medianMillis,
        double spread,
        int windows,
        int perWindow,
        double failedShare,
        int timeouts,
        double lagMillis,
        String partial,
        long seed) {

    /// The same loads stand in many tests, and writing one costs more than most of what is done with it.
    private static final Map<SyntheticLoad, String> WRITTEN = new ConcurrentHashMap<>();

    public static SyntheticLoad of(double medianMillis, long seed) {
        return new SyntheticLoad(medianMillis, 0.5, 12, 400, 0, 0, 0.01, "", seed);
    }

    public SyntheticLoad withSize(int otherWindows, int otherPerWindow) {
        return new SyntheticLoad(
                medianMillis, spread, otherWindows, otherPerWindow, failedShare, timeouts, lagMillis, partial, seed);
    }

    public SyntheticLoad withFailures(double share, int silent) {
        return new SyntheticLoad(medianMillis, spread, windows, perWindow, share, silent, lagMillis, partial, seed);
    }

    public SyntheticLoad withLag(double millis) {
        return new SyntheticLoad(
                medianMillis, spread, windows, perWindow, failedShare, timeouts, millis, partial, seed);
    }

    public SyntheticLoad withPartial(String why) {
        return new SyntheticLoad(medianMillis, spread, windows, perWindow, failedShare, timeouts, lagMillis, why, seed);
    }

    /// Named load.json by the laboratory.
    public String json() {
        return WRITTEN.computeIfAbsent(this, SyntheticLoad::write);
    }

    private String write() {
        Random random = new Random(seed);
        PhaseTotals sums = new PhaseTotals();
        RequestCounts tally = new RequestCounts();
        for (int window = 0; window < windows; window++) {
            double mood = Math.exp(0.04 * random.nextGaussian());
            for (int i = 0; i < perWindow; i++) {
                boolean silent = window == windows / 2 && i < timeouts;
                boolean failed = !silent && random.nextDouble() < failedShare;
                double law = medianMillis * mood * Math.exp(spread * random.nextGaussian());
                long nanos = (long) (1e6 * (silent ? 10_000 : failed ? 0.2 : law));
                tally.add(Count.SENT, 1);
                sums.window().recordValue(nanos);
                if (silent) {
                    tally.failed(Failure.TIMEOUT);
                } else {
                    tally.answered(failed ? 503 : 200);
                    tally.inTime(false);
                    sums.service().recordValue(nanos);
                }
                if (failed) {
                    tally.add(Count.UNEXPECTED, 1);
                    sums.refused().recordValue(nanos);
                }
                if (failed || silent) {
                    sums.errors().recordValue(nanos);
                }
                long lag = (long) (1e6 * lagMillis);
                sums.lag().recordValue(lag);
                sums.punctual().recordValue(failed || silent ? nanos : Math.max(0, nanos - lag));
            }
            sums.closeWindow(window * 1_000_000_000L, 1_000_000_000L, tally, true);
        }
        return ResultFile.text(LoadResult.of(new RunResult(
                plan(),
                Instant.parse("2026-01-02T03:04:05Z"),
                windows * 1_000_000_000L,
                windows * 1_000_000_000L,
                new RunResult.WarmupResult(6, true, new RequestCounts()),
                tally,
                sums,
                SlowestRequests.NONE,
                0,
                0,
                0,
                1000,
                0,
                0.31,
                1_000_000_000L,
                tally.of(Count.SENT),
                partial,
                "",
                "",
                HostFacts.UNKNOWN)));
    }

    private LoadPlan plan() {
        return LoadPlan.of(
                Target.parse("http://127.0.0.1:8080"),
                Workload.named("put"),
                Clients.defaults(),
                Pace.open(Math.max(1, perWindow), Duration.ofSeconds(windows)));
    }
}
