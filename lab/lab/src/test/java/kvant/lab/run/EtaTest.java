package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Experiments;
import kvant.lab.run.RunListener.Eta;
import org.junit.jupiter.api.Test;

/// The time that open questions still take.
class EtaTest {

    private static final Experiment EXPERIMENT = Experiments.read("e.yaml", """
            name: e
            title: t
            variants:
              - {name: a, serve: {warm-up: 0}}
              - {name: b, serve: {warm-up: 0}}
              - {name: c, serve: {warm-up: 0}}
            load: {rate: 100, warmup: 500ms, duration: 7s}
            phases: [{name: put, workload: put}, {name: get, workload: get, prefill: 25k}]
            """, Path.of("/"), Scale.FULL);

    private static Instruments.Undecided open(String b, String phase, long rounds) {
        return new Instruments.Undecided("q", "a", b, phase, 0.1, rounds, 0);
    }

    /// A step of puts takes 10 s, one of gets a second more; twice as long here.
    @Test
    void aRoundServesAllQuestionsAboutItsVariants() {
        Eta time = Eta.of(
                EXPERIMENT,
                List.of(open("b", "put", 10), open("c", "put", 4), open("b", "get", 2), open("c", "get", 0)),
                2,
                Duration.ofSeconds(30),
                Duration.ofSeconds(598));

        assertThat(time.open())
                .extracting(Eta.Open::time)
                .containsExactly(
                        Duration.ofSeconds(400), Duration.ofSeconds(160), Duration.ofSeconds(88), Duration.ZERO);
        assertThat(time.needed()).isEqualTo(Duration.ofSeconds(200 + 200 + 80 + 44 + 44 + 30));
        assertThat(time.suffices()).isTrue();
        assertThat(new Eta(time.open(), time.needed(), Duration.ofSeconds(597)).suffices())
                .isFalse();
    }

    @Test
    void theNearestIsTheOneOfTheLeastTime() {
        Eta time = Eta.of(
                EXPERIMENT,
                List.of(open("b", "put", 10), open("c", "put", 4), open("b", "get", 0), open("c", "get", 2)),
                1,
                Duration.ZERO,
                Duration.ofSeconds(1));

        assertThat(time.nearestFirst())
                .containsExactly(open("b", "get", 0), open("c", "get", 2), open("c", "put", 4), open("b", "put", 10));
    }

    @Test
    void whatNobodyKnowsYetNeedsNoTime() {
        Eta time = Eta.of(EXPERIMENT, List.of(open("b", "put", 0)), 1, Duration.ofSeconds(30), Duration.ofSeconds(1));

        assertThat(time.needed()).isZero();
        assertThat(time.suffices()).isTrue();
    }
}
