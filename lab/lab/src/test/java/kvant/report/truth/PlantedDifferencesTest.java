package kvant.report.truth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.report.inference.Schedule.Design;
import kvant.report.truth.PlantedDifferences.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The report's promises for its verdicts: false alarms at most 5 %, the truth in the interval at least 95 % of the
/// time, and differences that are found. A small version of the table in docs/report.md, which is `target/truth.md` of
/// these tests with `-Dkvant.tries=1000 -Dkvant.seed=1`.
@Tag("full") // half a minute of simulated runs
class PlantedDifferencesTest {

    private static final int RUNS = Integer.getInteger("kvant.tries", 300);

    /// Three standard deviations of a share of 5 % in so many runs.
    private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / RUNS);

    private static final List<Row> ROWS = PlantedDifferences.rows(RUNS, Long.getLong("kvant.seed", 7));

    private static Row row(Design design, Noise noise, double planted) {
        return ROWS.stream()
                .filter(one -> one.design() == design && one.noise() == noise && one.planted() == planted)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aAgainstASaysDifferentInOneOfTwentyAtMost() {
        assertThat(ROWS)
                .filteredOn(one -> one.planted() == 0)
                .hasSize(9)
                .allSatisfy(one -> assertThat(one.share(one.found())).isLessThanOrEqualTo(0.05));
    }

    @Test
    void theIntervalHoldsTheTruth() {
        assertThat(ROWS).hasSize(45).allSatisfy(one -> {
            double least = one.design() == Design.FIXED ? 0.95 - CHANCE : 0.95;
            assertThat(one.share(one.covered())).isGreaterThanOrEqualTo(least);
        });
    }

    @Test
    void aDifferenceThatMattersIsSeldomCalledTheSameAndHardlyEverTheOpposite() {
        assertThat(ROWS).filteredOn(one -> one.planted() >= 0.1).allSatisfy(one -> {
            assertThat(one.share(one.same())).isLessThanOrEqualTo(0.05);
            assertThat(one.share(one.wrong())).isLessThanOrEqualTo(0.01);
        });
    }

    @Test
    void differencesAreFound() {
        assertThat(row(Design.FIXED, Noise.QUIET, 0.1).found()).isGreaterThan(RUNS * 95 / 100);
        assertThat(row(Design.FIXED, Noise.SHARED, 0.5).found()).isGreaterThan(RUNS * 95 / 100);
        assertThat(row(Design.SEQUENTIAL, Noise.SHARED, 0.2).found()).isGreaterThan(RUNS * 95 / 100);
        assertThat(row(Design.SEQUENTIAL, Noise.DISTURBED, 0.2).found()).isGreaterThan(RUNS * 80 / 100);
        assertThat(row(Design.SEQUENTIAL, Noise.QUIET, 0).same()).isGreaterThan(RUNS * 95 / 100);
    }

    /// Where each round has both orders, it counts as much as a block of two others.
    @Test
    void interleavedRoundsDecideWithFewerOfThem() {
        for (double planted : List.of(0.2, 0.5)) {
            assertThat(row(Design.INTERLEAVED, Noise.SHARED, planted).rounds())
                    .isLessThan(row(Design.SEQUENTIAL, Noise.SHARED, planted).rounds());
        }
        assertThat(row(Design.INTERLEAVED, Noise.SHARED, 0.2).found()).isGreaterThan(RUNS * 95 / 100);
    }

    @Test
    void aRunThatStopsWhenItKnowsIsShorterForLargerDifferences() {
        assertThat(row(Design.SEQUENTIAL, Noise.SHARED, 0.5).rounds())
                .isLessThan(row(Design.SEQUENTIAL, Noise.SHARED, 0.2).rounds());
        assertThat(row(Design.SEQUENTIAL, Noise.SHARED, 0.2).rounds())
                .isLessThan(row(Design.SEQUENTIAL, Noise.SHARED, 0.1).rounds());
    }

    @Test
    void theTableHasALineForEachKindOfRun() throws IOException {
        List<String> table = TruthTable.lines(ROWS);
        Files.write(Files.createDirectories(Path.of("target")).resolve("truth.md"), table);

        assertThat(table)
                .hasSize(47)
                .contains("| run | machine | planted | says different | rules 10 % out | covers the truth | rounds |")
                .allMatch(line -> line.split("\\|", -1).length == 9);
    }
}
