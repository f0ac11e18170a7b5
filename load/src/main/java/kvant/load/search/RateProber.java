package kvant.load.search;

import java.time.Duration;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.Percentiles;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.load.schedule.Arrivals;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// Probes of a search for a rate, each a run of its own.
record RateProber(
        LoadPlan plan,
        Objective objective,
        Arrivals.Law law,
        StopSwitch stop,
        Progress progress,
        RateSearch.Listener listener)
        implements RateSearch.Prober {

    /// Answers that a rate may fall short of its target and still count as reached.
    private static final double REACHED = 0.99;

    private static final Duration PEAK_PROBE = Duration.ofSeconds(3);

    /// Only the first probe meets a cold server.
    private static final Duration LATER_WARMUP = Duration.ofSeconds(1);

    @Override
    public double peak() {
        Pace pace = Pace.closed(PEAK_PROBE).with(p -> p.warmup = Warmup.fixed(LATER_WARMUP));
        RunResult result = LoadRun.run(plan.with(p -> p.pace = pace), stop, progress);
        if (result.counts().answeredCount() == 0) {
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
        RunResult result = LoadRun.run(plan.with(p -> p.pace = pace), stop, progress);
        RateSearch.Probe probe = judge(rate, result);
        if (!stop.isStopped()) {
            listener.probed(probe);
        }
        return probe;
    }

    private RateSearch.Probe judge(double rate, RunResult result) {
        Histogram response = result.totals().response();
        long value = objective.value(response, result.totals().errors());
        return new RateSearch.Probe(
                rate,
                result.achievedRate(),
                result.counts().due(),
                response.getValueAtPercentile(50),
                response.getValueAtPercentile(99),
                value,
                (double) result.counts().errors() / Math.max(1, result.counts().due()),
                result.totals().lag().getValueAtPercentile(99),
                finding(rate, result, value));
    }

    /// One stall of the generator may be all that the percentile is about.
    ///
    /// @param punctual response times without what the generator sent late
    static RateSearch.Finding tooSlow(Objective objective, Histogram punctual, long failed) {
        return objective.atMost(punctual, failed) <= objective.limitNanos()
                ? RateSearch.Finding.GENERATOR_LATE
                : RateSearch.Finding.TOO_SLOW;
    }

    /// The first that applies: what a doubtful generator or a handful of requests say of the server is nothing.
    private RateSearch.Finding finding(double rate, RunResult result, long value) {
        if (result.isPartial()) {
            return RateSearch.Finding.BROKEN_OFF;
        }
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
        return result.achievedRate() >= REACHED * rate ? RateSearch.Finding.HOLDS : RateSearch.Finding.RATE_MISSED;
    }
}
