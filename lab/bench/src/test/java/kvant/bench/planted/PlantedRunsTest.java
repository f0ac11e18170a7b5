package kvant.bench.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import kvant.bench.planted.PlantedRuns.Kind;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.junit.jupiter.api.Test;

class PlantedRunsTest {

    private static final Duration TIME = Duration.ofMillis(2);

    private static Kind kind(double planted) {
        return new Kind("burn", TIME, planted);
    }

    /// Of nodes that take nothing by themselves.
    private static Verdict verdict(Outcome outcome, double low, double high) {
        return verdict(outcome, 2, 2 * (1 + (low + high) / 2), low, high);
    }

    /// @param a of A, in milliseconds
    private static Verdict verdict(Outcome outcome, double a, double b, double low, double high) {
        return verdict(outcome, 0, a, b, low, high);
    }

    private static Verdict verdict(Outcome outcome, int moreErrors, double a, double b, double low, double high) {
        Estimate estimate = new Estimate(1e6 * a, 1e6 * b, b / a - 1, low, high, 6, 6, Estimate.Unit.ROUND, 0);
        Metric p99 = Metric.percentile(99);
        Decided decided =
                new Decided(p99, 2, 6, Basis.ROUNDS, 0.95, 3, 0.1, estimate, null, moreErrors, 0, 0, null, null);
        return new Verdict("get", "p99", "a", "b", outcome, decided, null, List.of(), List.of());
    }

    private static List<String> lines(double planted, Verdict... verdicts) {
        PlantedRuns runs = new PlantedRuns();
        for (Verdict one : verdicts) {
            runs.add(kind(planted), one);
        }
        List<String> lines = runs.lines();
        assertThat(lines.get(lines.size() - 3)).as("above the totals").isEmpty();
        return lines.subList(2, lines.size() - 3);
    }

    @Test
    void aDifferenceIsFoundInItsDirection() {
        assertThat(lines(
                        0.2,
                        verdict(Outcome.WORSE, 0.15, 0.25),
                        verdict(Outcome.UNDERPOWERED, -0.1, 0.5),
                        verdict(Outcome.BETTER, -0.3, -0.1),
                        verdict(Outcome.SAME, -0.02, 0.05)))
                .containsExactly("| burn | 20 % | 4 | 4 | 25 % | 25 % | 25 % | 50 % | 0 % |");
    }

    /// Which of the two failed more is no part of what was planted.
    @Test
    void aMixedVerdictSaysDifferentInTheDirectionOfItsFigure() {
        assertThat(lines(
                        0.2,
                        verdict(Outcome.MIXED, -1, 2, 2.4, 0.15, 0.25),
                        verdict(Outcome.MIXED, 1, 2, 1.6, -0.3, -0.1)))
                .containsExactly("| burn | 20 % | 2 | 2 | 50 % | 50 % | 0 % | 50 % | 0 % |");
    }

    @Test
    void aAgainstASaysDifferentInEitherDirection() {
        assertThat(lines(0, verdict(Outcome.WORSE, 0.02, 0.1), verdict(Outcome.BETTER, -0.1, -0.02)))
                .containsExactly("| burn | 0 % | 2 | 2 | 100 % | 0 % | 0 % | 0 % | 2 % |");
    }

    /// Of 2 ms half as much again is planted. With 0.5 ms that each node takes by itself B takes 3.5 ms to
    /// the 2.5 ms of A, which is 40 %.
    @Test
    void theTruthIsThatOfTheFiguresWithWhatANodeTakesByItself() {
        assertThat(lines(0.5, verdict(Outcome.WORSE, 2.5, 3.5, 0.39, 0.41)))
                .containsExactly("| burn | 50 % | 1 | 1 | 100 % | 0 % | 0 % | 100 % | 25 % |");
        assertThat(lines(0.5, verdict(Outcome.WORSE, 2.5, 3.5, 0.41, 0.51)))
                .containsExactly("| burn | 50 % | 1 | 1 | 100 % | 0 % | 0 % | 0 % | 25 % |");
        assertThat(lines(0.5, verdict(Outcome.WORSE, 2.5, 3.5, 0.3, 0.39)))
                .containsExactly("| burn | 50 % | 1 | 1 | 100 % | 0 % | 0 % | 0 % | 25 % |");
    }

    /// Both nodes took 0.5 ms by themselves, and A was disturbed for 0.2 ms more: its own share is no proof
    /// that the difference is as small as the estimate has it.
    @Test
    void aDisturbedAIsHalfOfWhatIsKnown() {
        assertThat(kind(0.5).truth(estimate(2.7, 3.5))).isBetween(0.38, 0.39);
        assertThat(kind(0.5).truth(estimate(2.5, 3.7))).isBetween(0.38, 0.39);
        assertThat(kind(0.5).truth(estimate(1, 1)))
                .as("less than the law takes")
                .isEqualTo(0.5);
    }

    private static Estimate estimate(double a, double b) {
        return new Estimate(1e6 * a, 1e6 * b, b / a - 1, 0, 1, 6, 6, Estimate.Unit.ROUND, 0);
    }

    @Test
    void whatCannotBeJudgedIsNoAnswer() {
        assertThat(lines(0.5, verdict(Outcome.UNKNOWN, Double.NaN, Double.NaN)))
                .containsExactly("| burn | 50 % | 1 | 0 | – | – | – | – | – |");
    }

    /// Fourteen runs of a line say little; all lines together say what the verdicts promise.
    @Test
    void theTotalsHaveAnInterval() {
        PlantedRuns runs = new PlantedRuns();
        for (int run = 0; run < 20; run++) {
            runs.add(kind(0), run == 0 ? verdict(Outcome.WORSE, 0.02, 0.1) : verdict(Outcome.SAME, -0.02, 0.02));
            runs.add(kind(0.5), verdict(Outcome.WORSE, 0.45, 0.55));
        }
        runs.add(kind(0.5), verdict(Outcome.UNKNOWN, 0.45, 0.55));

        assertThat(runs.lines())
                .endsWith(
                        "",
                        "A against A: says different 1 of 20, 5.0 % (95 % confidence: 0.1 % to 24.9 %)",
                        "Coverage: 39 of 40, 97.5 % (95 % confidence: 86.8 % to 99.9 %)");
    }

    @Test
    void whereNothingWasJudgedThereIsNoTotal() {
        assertThat(new PlantedRuns().lines())
                .endsWith(
                        "A against A: says different – (no run could be judged)",
                        "Coverage: – (no run could be judged)");
    }
}
