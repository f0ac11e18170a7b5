package kvant.lab.load;

import java.time.Duration;
import kvant.lab.LabException;
import kvant.lab.schedule.Arrivals;

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
        Pace pace = Pace.closed(PEAK_PROBE).withWarmup(Warmup.fixed(LATER_WARMUP));
        RunResult result = LoadRun.run(plan.withPace(pace), stop, progress);
        if (result.tally().answeredCount() == 0) {
            throw new LabException("no request was answered: " + result.lastTrouble());
        }
        return result.achievedRate();
    }

    @Override
    public RateSearch.Probe probe(double rate, boolean first) {
        Pace asked = plan.pace();
        Warmup warmup = first || asked.warmup().isNone() ? asked.warmup() : Warmup.fixed(LATER_WARMUP);
        Pace pace = new Pace(law, rate, warmup, asked.duration(), asked.drain(), asked.window());
        RunResult result = LoadRun.run(plan.withPace(pace), stop, progress);
        RateSearch.Probe probe = judge(rate, result);
        if (!stop.isStopped()) {
            listener.probed(probe);
        }
        return probe;
    }

    private RateSearch.Probe judge(double rate, RunResult result) {
        long value = objective.value(result.sums().response(), result.sums().errors());
        boolean bound = result.tally().answeredCount() > 0 && result.validity().grade() == Validity.Grade.INVALID;
        boolean reached = result.achievedRate() >= REACHED * rate;
        return new RateSearch.Probe(
                rate,
                result.achievedRate(),
                result.sums().response().getValueAtPercentile(50),
                result.sums().response().getValueAtPercentile(99),
                value,
                (double) result.tally().errors() / Math.max(1, result.tally().due()),
                value <= objective.limitNanos() && reached && !bound && !result.isPartial(),
                bound);
    }
}
