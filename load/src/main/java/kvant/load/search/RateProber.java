package kvant.load.search;

import java.time.Duration;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.run.LoadRun;
import kvant.load.run.Progress;
import kvant.load.run.RunResult;
import kvant.load.run.Validity;
import kvant.load.schedule.Arrivals;
import kvant.text.UserException;

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
        long value = objective.value(result.totals().response(), result.totals().errors());
        boolean bound = result.counts().answeredCount() > 0 && result.validity().grade() == Validity.Grade.INVALID;
        boolean reached = result.achievedRate() >= REACHED * rate;
        return new RateSearch.Probe(
                rate,
                result.achievedRate(),
                result.totals().response().getValueAtPercentile(50),
                result.totals().response().getValueAtPercentile(99),
                value,
                (double) result.counts().errors() / Math.max(1, result.counts().due()),
                value <= objective.limitNanos() && reached && !bound && !result.isPartial(),
                bound);
    }
}
