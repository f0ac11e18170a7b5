package kvant.load.search;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.load.keys.KeyText;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Arrivals;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.Percentiles;
import kvant.load.record.RequestCounts.Count;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// The probes of a rate search, each a separate run.
///
/// Belongs to the thread of the search.
final class RateProber implements RateSearch.Prober {

    /// Share of the due requests that may be unanswered at the end of the measured time.
    private static final double MISSING = 0.01;

    private static final Duration PEAK_PROBE = Duration.ofSeconds(3);

    /// Short, because only the first probe meets a cold server.
    private static final Duration LATER_WARMUP = Duration.ofSeconds(1);

    private final LoadPlan plan;
    private final Objective objective;
    private final Arrivals.Law law;
    private final StopSwitch stop;
    private final Progress progress;
    private final Consumer<RateSearch.Probe> listener;

    private long firstInsert;

    RateProber(
            LoadPlan plan,
            Objective objective,
            Arrivals.Law law,
            StopSwitch stop,
            Progress progress,
            Consumer<RateSearch.Probe> listener) {
        this.plan = plan;
        this.objective = objective;
        this.law = law;
        this.stop = stop;
        this.progress = progress;
        this.listener = listener;
        this.firstInsert = plan.firstInsert();
    }

    @Override
    public double peak() {
        Pace pace = Pace.closed(PEAK_PROBE).with(p -> p.warmup = Warmup.fixed(LATER_WARMUP));
        RunResult result = run(pace);
        if (result.counts().of(Count.ANSWERED) == 0) {
            throw new UserException("no request was answered: " + result.lastTrouble());
        }
        return result.achievedRate();
    }

    @Override
    public RateSearch.Probe probe(double rate, boolean first) {
        Pace asked = plan.pace();
        Warmup warmup = first || asked.warmup().isNone() ? asked.warmup() : Warmup.fixed(LATER_WARMUP);
        Pace pace = asked.with(p -> {
            p.law = law;
            p.rate = rate;
            p.warmup = warmup;
        });
        RunResult result = run(pace);
        RateSearch.Probe probe = judge(rate, result);
        listener.accept(probe);
        return probe;
    }

    /// Runs a probe with new keys: updating a key of the previous probe would be a different request.
    private RunResult run(Pace pace) {
        long first = firstInsert;
        LoadPlan probe = plan.with(p -> {
            p.pace = pace;
            p.firstInsert = first;
        });
        RunResult result = LoadRun.run(probe, stop, progress);
        if (result.isPartial()) {
            throw new UserException(result.partial());
        }
        firstInsert += result.insertedKeys() * plan.clients().threads(); // threads alternate, perhaps unevenly
        KeyText keys = plan.workload().keyText();
        if (firstInsert > keys.capacity()) { // then some of them were not new
            throw new UserException("the probes have used up all keys of " + keys.digits() + " digits");
        }
        return result;
    }

    private RateSearch.Probe judge(double rate, RunResult result) {
        Histogram response = result.totals().response();
        long value = objective.value(response, result.totals().errors());
        return new RateSearch.Probe(
                rate,
                result.scheduledRate(),
                result.counts().due(),
                response.getValueAtPercentile(50),
                response.getValueAtPercentile(99),
                value,
                (double) result.counts().errors() / Math.max(1, result.counts().due()),
                result.totals().lag().getValueAtPercentile(99),
                finding(result, value));
    }

    /// The reason for exceeding the limit: a single stall of the generator may determine the percentile.
    ///
    /// @param punctual response times without the generator's lateness
    static RateSearch.Finding tooSlow(Objective objective, Histogram punctual, long failed) {
        return objective.atMost(punctual, failed) <= objective.limitNanos()
                ? RateSearch.Finding.GENERATOR_LATE
                : RateSearch.Finding.TOO_SLOW;
    }

    /// The first that applies: a slow generator or too few requests allow no conclusion about the server.
    private RateSearch.Finding finding(RunResult result, long value) {
        if (Validity.isOfGenerator(result)) {
            return RateSearch.Finding.GENERATOR_TOO_SLOW;
        }
        if (!Percentiles.isTold(objective.percentile(), result.counts().due())) {
            return RateSearch.Finding.TOO_FEW;
        }
        if (value == Objective.NEVER) {
            return RateSearch.Finding.TOO_MANY_FAILED;
        }
        if (value > objective.limitNanos()) {
            return tooSlow(
                    objective, result.totals().punctual(), result.counts().errors());
        }
        return keepsUp(result) ? RateSearch.Finding.HOLDS : RateSearch.Finding.RATE_MISSED;
    }

    private static boolean keepsUp(RunResult result) {
        long medianNanos = result.totals().response().getValueAtPercentile(50);
        double inFlight =
                (double) medianNanos / result.measuredNanos() * result.counts().due();
        return keepsUp(result.counts().due(), result.counts().of(Count.IN_TIME), inFlight);
    }

    /// True if the server answered the due requests, whatever rate the random schedule produced. At the end some
    /// requests are always in flight: by Little's law as many as are due in one response time.
    ///
    /// @param inTime answers within the measured time
    /// @param inFlight number of requests due in one response time
    static boolean keepsUp(long due, long inTime, double inFlight) {
        return due - inTime <= MISSING * due + inFlight + 1;
    }
}
