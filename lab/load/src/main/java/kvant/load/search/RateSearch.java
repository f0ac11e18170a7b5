package kvant.load.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.Percentiles;
import kvant.load.run.Progress;
import kvant.load.run.Reason;
import kvant.load.schedule.Arrivals;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The highest rate that holds an objective: doubled until it fails, halved until it holds, and then the bracket is
/// cut in half until it is narrow. A rate that is near the limit is tried up to three times, and the majority decides.
///
/// Owned by the thread that calls [#run].
public final class RateSearch {

    /// What a probe says of its rate.
    public enum Finding {
        HOLDS,
        /// The percentile is above the limit.
        TOO_SLOW,
        /// More requests failed than the percentile leaves out.
        TOO_MANY_FAILED,
        /// The server answered less than was asked.
        RATE_MISSED,
        /// Too few requests lie beyond the percentile to judge it.
        TOO_FEW,
        /// The generator was late, or had no time left.
        GENERATOR_TOO_SLOW,
        /// The percentile is above the limit, and would not be without what the generator sent late.
        GENERATOR_LATE
    }

    /// One run at one rate.
    ///
    /// @param requests that were due
    /// @param p50Nanos 0 of no request, as is the other
    /// @param objectiveNanos [Objective#NEVER] where too many requests failed
    /// @param lagNanos how much later than it could the generator sent, at the 99th percentile
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

    /// @param rate the highest that held, 0 where none did
    /// @param limit what ends above it, in words
    /// @param probes in the order of their rates
    public record Outcome(Objective objective, double rate, String limit, List<Probe> probes, String partial) {}

    /// Runs the probes; a test replaces it.
    interface Prober {

        /// What the connections can do at most, in a closed loop.
        double peak();

        /// @throws UserException where the run did not end as planned: it says nothing of its rate
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

    /// A value so far from the limit, as a factor, needs no second opinion.
    private static final double CLEAR = 2;

    private static final int MOST_PROBES = 60;

    /// Shares of the answer that are probed for the curve alone.
    private static final double[] CURVE = {0.25, 0.5, 0.75};

    private static final double LEAST_RATE = 1;

    /// Successive probes for which the generator was too slow: a lower rate is no cure, the machine is busy.
    private static final int MOST_LATE = 2;

    /// A Poisson process may be so much behind its mean.
    private static final double POISSON_MARGIN = 1.2;

    private final Prober prober;
    private final Objective objective;
    private final double precision;
    private final double leastRate;
    private final StopSwitch stop;
    private final List<Probe> probes = new ArrayList<>();
    private String lost = "";

    /// @param leastRate below which a probe has too few requests to judge the percentile
    RateSearch(Prober prober, Objective objective, double precision, double leastRate, StopSwitch stop) {
        this.prober = prober;
        this.objective = objective;
        this.precision = precision;
        this.leastRate = Math.max(LEAST_RATE, leastRate);
        this.stop = stop;
    }

    /// @param plan whose duration is that of a probe, and whose rate, where it has one, is the first guess
    /// @param precision width of the last bracket, as a share
    /// @param listener hears of each probe
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

    /// At which so many requests lie beyond the percentile in one probe that it can be judged.
    static double leastRate(Objective objective, Arrivals.Law law, Duration probe) {
        double requests = Percentiles.leastRequests(objective.percentile());
        return requests * (law == Arrivals.Law.POISSON ? POISSON_MARGIN : 1) * 1e9 / probe.toNanos();
    }

    /// @param firstGuess 0 where there is none
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

    /// Below the answer the search has seen nothing; the curve needs it.
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

    /// Runs a probe and keeps it, unless it was broken off: what was found before must outlive a server that dies.
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
            return String.format(
                    Locale.ROOT,
                    "the generator was too slow %d times in a row: at %.0f/s it sent late by %s at p99",
                    MOST_LATE,
                    last.rate(),
                    Units.time(last.lagNanos()));
        }
        if (Double.isInfinite(fails)) {
            return probes.isEmpty() ? "nothing was measured" : "no rate failed";
        }
        boolean generator = probes.stream().anyMatch(probe -> probe.rate() == fails && probe.generatorBound());
        String reason = generator ? "is more than this generator can send on time" : "does not hold it";
        String end = fails <= leastRate
                ? String.format(
                        Locale.ROOT,
                        ", and below it a probe has fewer than %d requests beyond p%s: take a longer -d",
                        Percentiles.LEAST_BEYOND,
                        Percentiles.name(objective.percentile()))
                : "";
        return String.format(Locale.ROOT, "%.0f/s %s%s", fails, reason, end);
    }

    /// By one probe that is clear, else by the majority. Open where the search was broken off before.
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
