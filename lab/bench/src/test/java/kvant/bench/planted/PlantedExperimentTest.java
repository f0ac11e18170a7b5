package kvant.bench.planted;

import static kvant.bench.planted.PlantedExperiment.USUAL_DURATION;
import static kvant.bench.planted.PlantedExperiment.USUAL_ROUNDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Pace;
import kvant.load.record.Percentiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A planted difference is one that its figure can show.
class PlantedExperimentTest {

    /// As much as the table of docs/report.md ever plants.
    private static final double MOST_PLANTED = 0.5;

    private static Experiment experiment(Law law) {
        return new PlantedExperiment(law, MOST_PLANTED, USUAL_ROUNDS, USUAL_DURATION, 1).experiment();
    }

    private static double requests(Pace pace) {
        return pace.rate() * pace.duration().toMillis() / 1000;
    }

    @ParameterizedTest
    @EnumSource(Law.class)
    void theRequestsOfARoundSufficeForTheFigureOfTheLaw(Law law) {
        Experiment experiment = experiment(law);
        String metric = experiment.questions().getFirst().metric();
        Pace pace = experiment.phases().getFirst().pace();

        assertThat(metric).isEqualTo(law.metric());
        assertThat(metric).matches("cpu|p\\d\\d");
        if (metric.startsWith("p")) {
            double percentile = Double.parseDouble(metric.substring(1));
            assertThat(Percentiles.isTold(percentile, (long) requests(pace))).isTrue();
        }
    }

    /// Else the figure is that of look-ups that nothing was planted into.
    @Test
    void theFigureOfSlowLookupsIsTheTimeOfASlowOne() {
        Variant b = experiment(Law.SLOW).variant(PlantedExperiment.B);
        Server.Kvant node = (Server.Kvant) b.server();
        String planted = node.flags().get("planted");

        assertThat(planted).isEqualTo("slow=25%:18000us");
        assertThat(1 - Double.parseDouble(Law.SLOW.metric().substring(1)) / 100).isBetween(0.15, 0.22);
    }

    /// Look-ups that wait for a worker take a time that was not planted.
    @ParameterizedTest
    @EnumSource(Law.class)
    void mostWorkersAreFree(Law law) {
        Experiment experiment = experiment(law);
        Server.Kvant node =
                (Server.Kvant) experiment.variant(PlantedExperiment.B).server();
        double longest = law.time().toNanos() / 1e9 * (1 + MOST_PLANTED);
        double busy = experiment.phases().getFirst().pace().rate() * longest;

        assertThat(busy).isLessThan(Double.parseDouble(node.flags().get("workers")) / 4);
    }

    /// At even intervals the end of a wait meets something else in A than in B, each time: the next look-up, or idle
    /// threads.
    @ParameterizedTest
    @EnumSource(Law.class)
    void lookupsComeAtRandom(Law law) {
        assertThat(experiment(law).phases().getFirst().pace().law()).isEqualTo(Arrivals.Law.POISSON);
    }

    @Test
    void aRoundThatIsTooShortForItsFigureIsRefused() {
        Duration shortest = Duration.ofMillis(400);
        assertThatThrownBy(() -> new PlantedExperiment(Law.SLOW, 0.1, 2, shortest, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the 40 requests of a round are too few for the p80 of slow");
        assertThat(new PlantedExperiment(Law.BURN, 0.1, 2, shortest, 1).experiment())
                .isNotNull();
    }
}
