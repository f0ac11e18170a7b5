package kvant.lab.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import kvant.lab.LabException;
import kvant.lab.schedule.Arrivals;

/// The highest rate that holds an objective: doubled until it fails, halved until it holds, and then the bracket is
/// cut in half until it is narrow. A rate that is near the limit is tried up to three times, and the majority decides.
///
/// Owned by the thread that calls [#run].
public final class RateSearch {

    /// Hears of each probe.
    public interface Listener {
        void probed(Probe probe);
    }

    /// One run at one rate.
    ///
    /// @param objectiveNanos [Objective#NEVER] where too many requests failed
    /// @param holds whether the objective held and the rate was reached
    public record Probe(
            double rate,
            double achieved,
            long p50Nanos,
            long p99Nanos,
            long objectiveNanos,
            double errorShare,
            boolean holds,
            boolean generatorBound) {}

    /// @param rate the highest that held, 0 where none did
    /// @param limit what ends above it, in words
    /// @param probes in the order of their rates
    public record Outcome(Objective objective, double rate, String limit, List<Probe> probes, String partial) {}

    /// Answers that a rate may fall short of its target and still count as reached.
    private static final double REACHED = 0.99;

    /// A value so far from the limit, as a factor, needs no second opinion.
    private static final double CLEAR = 2;

    private static final int MOST_PROBES = 60;
    private static final double LEAST_RATE = 1;
    private static final Duration PEAK_PROBE = Duration.ofSeconds(3);
    private static final Duration PROBE_WARMUP = Duration.ofSeconds(1);

    private final LoadPlan plan;
    private final Objective objective;
    private final Arrivals.Law law;
    private final double precision;
    private final StopSwitch stop;
    private final Progress progress;
    private final Listener listener;
    private final List<Probe> probes = new ArrayList<>();
    private String partial = "";

    private RateSearch(
            LoadPlan plan,
            Objective objective,
            Arrivals.Law law,
            double precision,
            StopSwitch stop,
            Progress progress,
            Listener listener) {
        this.plan = plan;
        this.objective = objective;
        this.law = law;
        this.precision = precision;
        this.stop = stop;
        this.progress = progress;
        this.listener = listener;
    }

    /// @param plan whose duration is that of a probe, and whose rate, where it has one, is the first guess
    /// @param precision width of the last bracket, as a share
    public static Outcome run(
            LoadPlan plan,
            Objective objective,
            Arrivals.Law law,
            double precision,
            StopSwitch stop,
            Progress progress,
            Listener listener) {
        return new RateSearch(plan, objective, law, precision, stop, progress, listener).search();
    }

    private Outcome search() {
        double guess = plan.pace().isClosed()
                ? Math.max(LEAST_RATE, peak() / 2)
                : plan.pace().rate();
        double holds = 0;
        double fails = Double.POSITIVE_INFINITY;
        double rate = guess;
        while (isGoing() && rate >= LEAST_RATE && (holds == 0 || fails / holds > 1 + precision)) {
            if (holds(rate)) {
                holds = rate;
            } else {
                fails = rate;
            }
            if (holds == 0) {
                rate = fails / 2;
            } else if (Double.isInfinite(fails)) {
                rate = holds * 2;
            } else {
                rate = Math.sqrt(holds * fails);
            }
        }
        if (stop.isStopped()) {
            partial = "stopped before its end";
        } else if (probes.size() >= MOST_PROBES) {
            partial = "not narrowed down after " + MOST_PROBES + " probes";
        }
        List<Probe> sorted = new ArrayList<>(probes);
        sorted.sort(Comparator.comparingDouble(Probe::rate));
        return new Outcome(objective, holds, limit(fails), sorted, partial);
    }

    private boolean isGoing() {
        return !stop.isStopped() && probes.size() < MOST_PROBES;
    }

    private String limit(double fails) {
        if (Double.isInfinite(fails)) {
            return "no rate failed";
        }
        boolean generator = probes.stream().anyMatch(probe -> probe.rate() == fails && probe.generatorBound());
        return String.format(
                Locale.ROOT,
                "%.0f/s %s",
                fails,
                generator ? "is more than this generator can send on time" : "does not hold it");
    }

    /// What the connections can do at most, in a closed loop.
    private double peak() {
        RunResult result = LoadRun.run(
                plan.withPace(Pace.closed(PEAK_PROBE).withWarmup(Warmup.fixed(PROBE_WARMUP))), stop, progress);
        if (result.tally().answeredCount() == 0) {
            throw new LabException("no request was answered: " + result.lastTrouble());
        }
        return result.achievedRate();
    }

    private boolean holds(double rate) {
        int yes = 0;
        int no = 0;
        while (yes < 2 && no < 2 && isGoing()) {
            Probe probe = probe(rate);
            if (probe.holds()) {
                yes++;
            } else {
                no++;
            }
            if (yes + no == 1 && isClear(probe)) {
                break;
            }
        }
        return yes > no;
    }

    private boolean isClear(Probe probe) {
        return probe.objectiveNanos() < objective.limitNanos() / CLEAR && probe.holds()
                || probe.objectiveNanos() > objective.limitNanos() * CLEAR;
    }

    private Probe probe(double rate) {
        Warmup warmup = probes.isEmpty() ? plan.pace().warmup() : Warmup.fixed(PROBE_WARMUP);
        Pace pace = new Pace(
                law,
                rate,
                warmup,
                plan.pace().duration(),
                plan.pace().drain(),
                plan.pace().window());
        RunResult result = LoadRun.run(plan.withPace(pace), stop, progress);
        long value = objective.value(result.sums().response(), result.sums().errors());
        boolean bound = result.tally().answeredCount() > 0 && result.validity().grade() == Validity.Grade.INVALID;
        boolean reached = result.achievedRate() >= REACHED * rate;
        Probe probe = new Probe(
                rate,
                result.achievedRate(),
                result.sums().response().getValueAtPercentile(50),
                result.sums().response().getValueAtPercentile(99),
                value,
                (double) result.tally().errors() / Math.max(1, result.tally().due()),
                value <= objective.limitNanos() && reached && !bound && !result.isPartial(),
                bound);
        probes.add(probe);
        listener.probed(probe);
        return probe;
    }
}
