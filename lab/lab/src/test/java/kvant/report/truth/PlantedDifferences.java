package kvant.report.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Judge;
import kvant.report.verdict.Metric;
import kvant.report.verdict.Verdict.Outcome;

/// Synthetic runs between two variants whose difference is planted, judged as those of the laboratory are: how often a
/// verdict finds the difference, how often it finds one that is not there, how often its interval has the truth in it.
///
/// Owned by one thread.
public final class PlantedDifferences {

    /// By how much B is slower.
    public static final List<Double> PLANTED = List.of(0.0, 0.05, 0.1, 0.2, 0.5);

    /// Rounds of a run whose number is fixed beforehand.
    public static final int FIXED_ROUNDS = 12;

    /// Rounds after which a run until decided has spent its time.
    public static final int MOST_ROUNDS = 60;

    /// The difference that matters.
    public static final double MARGIN = 0.1;

    private static final Metric P99 = Metric.percentile(99);

    private final int runs;
    private final Random random;

    private PlantedDifferences(int runs, long seed) {
        this.runs = runs;
        this.random = new Random(seed);
    }

    /// The results of runs of one kind.
    ///
    /// @param found a difference was claimed, in the direction of the planted one; where none was planted, any
    /// @param wrong one was claimed in the other direction
    /// @param same a difference that matters was ruled out
    /// @param covered the planted difference lies in the interval
    /// @param rounds the median of how many it took
    public record Row(
            Noise noise,
            Design design,
            double planted,
            int runs,
            int found,
            int wrong,
            int same,
            int covered,
            double rounds) {

        public double share(int count) {
            return count / (double) runs;
        }
    }

    /// @param runs of each kind
    public static List<Row> rows(int runs, long seed) {
        PlantedDifferences own = new PlantedDifferences(runs, seed);
        List<Row> rows = new ArrayList<>();
        for (Design design : Design.values()) {
            for (Noise noise : Noise.values()) {
                PLANTED.forEach(planted -> rows.add(own.row(noise, design, planted)));
            }
        }
        return rows;
    }

    private Row row(Noise noise, Design design, double planted) {
        int found = 0;
        int wrong = 0;
        int same = 0;
        int covered = 0;
        double[] took = new double[runs];
        for (int i = 0; i < runs; i++) {
            Estimate estimate = run(noise, design, planted);
            Outcome outcome = outcome(estimate);
            boolean worse = outcome == Outcome.WORSE;
            boolean better = outcome == Outcome.BETTER;
            found += worse || better && planted == 0 ? 1 : 0;
            wrong += better && planted > 0 ? 1 : 0;
            same += outcome == Outcome.SAME ? 1 : 0;
            covered += estimate.low() <= planted && planted <= estimate.high() ? 1 : 0;
            took[i] = estimate.rounds();
        }
        Arrays.sort(took);
        return new Row(noise, design, planted, runs, found, wrong, same, covered, took[runs / 2]);
    }

    /// The estimate with which a run ends.
    private Estimate run(Noise noise, Design design, double planted) {
        double[][] logs = noise.rounds(design.looks() ? MOST_ROUNDS : FIXED_ROUNDS, random);
        double[] a = Arrays.stream(logs[0]).map(Math::exp).toArray();
        double[] b =
                Arrays.stream(logs[1]).map(log -> Math.exp(log) * (1 + planted)).toArray();
        if (!design.looks()) {
            return estimate(a, b, Schedule.FIXED, FIXED_ROUNDS);
        }
        Schedule schedule = Schedule.evenly(design, MOST_ROUNDS);
        int rounds = design.leastRounds();
        Estimate estimate = estimate(a, b, schedule, rounds);
        while (outcome(estimate) == Outcome.UNDERPOWERED && rounds < MOST_ROUNDS) {
            rounds += 2;
            estimate = estimate(a, b, schedule, rounds);
        }
        return estimate;
    }

    private static Estimate estimate(double[] a, double[] b, Schedule schedule, int rounds) {
        int[] repeats = IntStream.rangeClosed(1, rounds).toArray();
        return Estimate.ofRounds(
                repeats,
                Arrays.copyOf(a, rounds),
                Arrays.copyOf(b, rounds),
                schedule.of(Arrays.stream(repeats).boxed().toList()),
                Judge.CONFIDENCE);
    }

    private static Outcome outcome(Estimate estimate) {
        return Judge.outcome(P99, estimate, estimate.isTold(), MARGIN, 0);
    }
}
