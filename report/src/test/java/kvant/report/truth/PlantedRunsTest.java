package kvant.report.truth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.junit.jupiter.api.Test;

class PlantedRunsTest {

    private static Verdict verdict(Outcome outcome, double low, double high) {
        double change = (low + high) / 2;
        Estimate estimate = new Estimate(1, 1 + change, change, low, high, 6, Estimate.Unit.ROUND, 0);
        Decided decided =
                new Decided(Metric.percentile(99), 2, 6, Basis.ROUNDS, 0.95, 3, 0.1, estimate, 0, 0, 0, null, null);
        return new Verdict("get", "p99", "a", "b", outcome, decided, null, List.of(), List.of());
    }

    private static List<String> lines(double planted, Verdict... verdicts) {
        PlantedRuns runs = new PlantedRuns();
        for (Verdict one : verdicts) {
            runs.add("delay", planted, one);
        }
        return runs.lines().subList(2, runs.lines().size());
    }

    @Test
    void aDifferenceIsFoundInItsDirection() {
        assertThat(lines(
                        0.2,
                        verdict(Outcome.WORSE, 0.15, 0.25),
                        verdict(Outcome.UNDERPOWERED, -0.1, 0.4),
                        verdict(Outcome.BETTER, -0.3, -0.1),
                        verdict(Outcome.SAME, -0.02, 0.05)))
                .containsExactly("| delay | 20 % | 4 | 4 | 25 % | 25 % | 25 % | 50 % |");
    }

    @Test
    void aAgainstASaysDifferentInEitherDirection() {
        assertThat(lines(0, verdict(Outcome.WORSE, 0.02, 0.1), verdict(Outcome.BETTER, -0.1, -0.02)))
                .containsExactly("| delay | 0 % | 2 | 2 | 100 % | 0 % | 0 % | 0 % |");
    }

    /// What a node takes by itself makes the planted share a little smaller.
    @Test
    void theTruthIsNearlyWhatWasPlanted() {
        assertThat(lines(0.5, verdict(Outcome.WORSE, 0.4, 0.46)))
                .containsExactly("| delay | 50 % | 1 | 1 | 100 % | 0 % | 0 % | 100 % |");
        assertThat(lines(0.5, verdict(Outcome.WORSE, 0.3, 0.44)))
                .containsExactly("| delay | 50 % | 1 | 1 | 100 % | 0 % | 0 % | 0 % |");
    }

    @Test
    void whatCannotBeJudgedIsNoAnswer() {
        assertThat(lines(0.5, verdict(Outcome.UNKNOWN, Double.NaN, Double.NaN)))
                .containsExactly("| delay | 50 % | 1 | 0 | – | – | – | – |");
    }
}
