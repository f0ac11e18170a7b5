package kvant.load.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Arrivals;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Percentiles;
import kvant.load.run.Progress;
import kvant.load.run.Reason;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Searches for the highest rate that meets an objective. The rate is doubled until it fails, or halved until it holds,
/// and then bisected until the bracket is narrow. Near the limit a rate is probed up to three times, and the majority
/// decides.
///
/// Belongs to the thread that calls [#run].
public final class RateSearch {

    /// The result of a probe.
    public enum Finding {
        HOLDS,
        /// The percentile is above the limit.
        TOO_SLOW,
        /// More requests failed than the percentile leaves out.
        TOO_MANY_FAILED,
        /// The server answered fewer requests than were due.
        RATE_MISSED,
        /// Too few requests beyond the percentile.
        TOO_FEW,
        /// The generator was late, or had no idle time.
        GENERATOR_TOO_SLOW,
        /// The percentile is above the limit, but only because of the generator's lateness.
        GENERATOR_LATE
    }

    /// A run at one rate.
    ///
    /// @param requests that were due
    /// @param p50Nanos 0 without requests, as is the other
    /// @param objectiveNanos [Objective#NEVER] if too many requests failed
    /// @param lagNanos 99th percentile of the generator's send lag
    public record Probe(
            double rate,
            double achieved,
            long requests,
            long p50Nanos,
            long p99Nanos,
            long objectiveNanos,
            double errorShare,
            long lagNanos,
            Finding finding) {

        public boolean holds() {
            return finding == Finding.HOLDS;
        }

        public boolean generatorBound() {
            return finding == Finding.GENERATOR_TOO_SLOW || finding == Finding.GENERATOR_LATE;
        }
    }

    /// @param rate the highest that held, 0 if none did
    /// @param limit readable description of the limit above it
    /// @param probes ordered by rate
    public record Outcome(Objective objective, double rate, String limit, List<Probe> probes, String partial) {}

    /// Runs the probes; replaced in tests.
    interface Prober {

        /// The maximum rate of the connections in a closed loop.
        double peak();

        /// @throws UserException when the run ended early: it allows no conclusion
        Probe probe(double rate, boolean first);
    }

    private enum Verdict {
        HOLDS,
        FAILS,
        OPEN;

        static Verdict of(boolean holds) {
            return holds ? HOLDS : FAILS;
        }
    }

    /// Factor between value and limit from which one probe is sufficient.
    private static final double CLEAR = 2;

    private static final int MOST_PROBES = 60;

    /// Shares of the result that are probed only for the chart.
    private static final double[] CURVE = {0.25, 0.5, 0.75};

    private static final double LEAST_RATE = 1;

    /// Successive probes with a slow generator that end the search: the machine is busy, and a lower rate is no help.
    private static final int MOST_LATE = 2;

    /// Factor by which a Poisson process may be below its mean.
    private static final double POISSON_MARGIN = 1.2;

    private final Prober prober;
    private final Objective objective;
    private final double precision;
    private final double leastRate;
    private final StopSwitch stop;
    private final List<Probe> probes = new ArrayList<>();
    private String lost = "";

    /// @param leastRate minimum rate at which a probe has enough requests for the percentile
    RateSearch(Prober prober, Objective objective, double precision, double leastRate, StopSwitch stop) {
        this.prober = prober;
        this.objective = objective;
        this.precision = precision;
        this.leastRate = Math.max(LEAST_RATE, leastRate);
        this.stop = stop;
    }

    /// @param plan its duration is that of a probe, and its rate, if any, is the first guess
    /// @param precision relative width of the final bracket
    /// @param listener receives each probe
    public static Outcome run(
            LoadPlan plan,
            Objective objective,
            Arrivals.Law law,
            double precision,
            StopSwitch stop,
            Progress progress,
            Consumer<Probe> listener) {
        Prober prober = new RateProber(plan, objective, law, stop, progress, listener);
        double least = leastRate(objective, law, plan.pace().duration());
        RateSearch search = new RateSearch(prober, objective, precision, least, stop);
        return search.search(plan.pace().isClosed() ? 0 : plan.pace().rate());
    }

    /// The rate at which a probe has enough requests beyond the percentile.
    static double leastRate(Objective objective, Arrivals.Law law, Duration probe) {
        double requests = Percentiles.leastRequests(objective.percentile());
        return requests * (law == Arrivals.Law.POISSON ? POISSON_MARGIN : 1) * 1e9 / probe.toNanos();
    }

    /// @param firstGuess 0 if there is none
    Outcome search(double firstGuess) {
        double guess = Math.max(leastRate, firstGuess > 0 ? firstGuess : prober.peak() / 2);
        double holds = 0;
        double fails = Double.POSITIVE_INFINITY;
        double rate = guess;
        while (isGoing() && rate >= leastRate && rate <= Pace.MOST_RATE && isWide(holds, fails)) {
            Verdict verdict = judge(rate);
            switch (verdict) {
                case HOLDS -> holds = rate;
                case FAILS -> fails = rate;
                case OPEN -> {} // the search ends
            }
            if (holds == 0) {
                rate = fails > leastRate ? Math.max(leastRate, fails / 2) : 0;
            } else if (Double.isInfinite(fails)) {
                rate = holds * 2;
            } else {
                rate = Math.sqrt(holds * fails);
            }
        }
        fillCurve(holds);
        String partial = "";
        if (stop.isStopped()) {
            partial = Reason.STOPPED.text();
        } else if (!lost.isEmpty()) {
            partial = lost;
        } else if (probes.size() >= MOST_PROBES) {
            partial = "not narrowed down after " + MOST_PROBES + " probes";
        }
        List<Probe> sorted = new ArrayList<>(probes);
        sorted.sort(Comparator.comparingDouble(Probe::rate));
        return new Outcome(objective, holds, limit(fails), sorted, partial);
    }

    /// Probes rates below the result, which the search has skipped, for the chart.
    private void fillCurve(double holds) {
        for (double share : CURVE) {
            if (holds > 0 && isGoing()) {
                probe(holds * share);
            }
        }
    }

    private boolean isGoing() {
        return !stop.isStopped() && lost.isEmpty() && probes.size() < MOST_PROBES && !isGeneratorTooSlow();
    }

    private boolean isGeneratorTooSlow() {
        return probes.size() >= MOST_LATE
                && probes.subList(probes.size() - MOST_LATE, probes.size()).stream()
                        .allMatch(Probe::generatorBound);
    }

    private boolean isWide(double holds, double fails) {
        return holds == 0 || fails / holds > 1 + precision;
    }

    /// Runs and keeps a probe. After a failure the earlier probes are kept, even when the server was lost.
    private @Nullable Probe probe(double rate) {
        try {
            Probe probe = prober.probe(rate, probes.isEmpty());
            probes.add(probe);
            return probe;
        } catch (UserException e) {
            if (probes.isEmpty() && !stop.isStopped()) {
                throw e; // there is nothing to keep
            }
            lost = String.valueOf(e.getMessage());
            return null;
        }
    }

    private String limit(double fails) {
        if (isGeneratorTooSlow()) {
            Probe last = probes.getLast();
            return Units.format(
                    "the generator was too slow %d times in a row: at %.0f/s it sent late by %s at p99",
                    MOST_LATE, last.rate(), Units.time(last.lagNanos()));
        }
        if (Double.isInfinite(fails)) {
            return probes.isEmpty() ? "nothing was measured" : "no rate failed";
        }
        boolean generator = probes.stream().anyMatch(probe -> probe.rate() == fails && probe.generatorBound());
        String reason = generator ? "is more than this generator can send on time" : "does not hold it";
        String end = fails <= leastRate
                ? Units.format(
                        ", and below it a probe has fewer than %d requests beyond p%s: take a longer -d",
                        Percentiles.LEAST_BEYOND, Percentiles.name(objective.percentile()))
                : "";
        return Units.format("%.0f/s %s%s", fails, reason, end);
    }

    /// Decides by one clear probe, otherwise by the majority. Open if the search ended early.
    private Verdict judge(double rate) {
        int yes = 0;
        int no = 0;
        while (yes < 2 && no < 2 && isGoing()) {
            Probe probe = probe(rate);
            if (probe == null) {
                return Verdict.OPEN;
            }
            if (probe.holds()) {
                yes++;
            } else {
                no++;
            }
            if (yes + no == 1 && isClear(probe)) {
                return Verdict.of(probe.holds());
            }
        }
        boolean decided = yes == 2 || no == 2 || !stop.isStopped();
        return decided ? Verdict.of(yes > no) : Verdict.OPEN;
    }

    private boolean isClear(Probe probe) {
        return probe.objectiveNanos() < objective.limitNanos() / CLEAR && probe.holds()
                || probe.objectiveNanos() > objective.limitNanos() * CLEAR && probe.finding() != Finding.GENERATOR_LATE;
    }
}
