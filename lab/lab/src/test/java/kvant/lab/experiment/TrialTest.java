package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord.Question;
import org.junit.jupiter.api.Test;

class TrialTest {

    private static Variant server(String name, boolean java) {
        String url = "http://127.0.0.1:${port}";
        return new Variant(
                name,
                name,
                "",
                0,
                new Server.External(
                        List.of("./it", "${port}"),
                        url,
                        url + "/",
                        Map.of(),
                        java,
                        List.of(),
                        "",
                        "",
                        "/",
                        Duration.ofSeconds(60),
                        Server.Peer.LIKE_KVANT));
    }

    private static Trial trial(List<Variant> variants, List<String> workloads, Map<String, String> settings) {
        return new Trial("try", "Old and new", "Старый и новый", variants, workloads, settings, List.of("p99", "cpu"));
    }

    private static List<Variant> two(boolean java) {
        return List.of(server("old", java), server("new", java));
    }

    @Test
    void eachWorkloadIsAPhaseAndEachFigureAQuestion() {
        Experiment experiment = trial(two(false), List.of("put", "GET"), Map.of("rate", "1k", "prefill", "500"))
                .experiment();

        assertThat(experiment.phases()).extracting(Phase::name).containsExactly("put", "get");
        assertThat(experiment.phase("put").prefill()).isZero();
        assertThat(experiment.phase("get").prefill()).isEqualTo(500);
        assertThat(experiment.questions()).extracting(Question::metric).containsExactly("p99", "cpu");
        assertThat(experiment.questions())
                .allSatisfy(one -> assertThat(one.compare()).containsExactly("old", "new"));
        assertThat(experiment.questions().getFirst().text()).isEqualTo("Does p99 change from old to new?");
        assertThat(experiment.questions().getLast().textRu())
                .isEqualTo("Меняется ли процессорное время запроса между old и new?");
    }

    @Test
    void whatAsksForKeysFindsSome() {
        assertThat(trial(two(false), List.of("get"), Map.of())
                        .experiment()
                        .phase("get")
                        .prefill())
                .isEqualTo(100_000);
    }

    @Test
    void jvmsAloneAreProfiled() {
        assertThat(trial(two(true), List.of("put"), Map.of())
                        .experiment()
                        .profiling()
                        .isWanted())
                .isTrue();
        assertThat(trial(List.of(server("old", true), server("new", false)), List.of("put"), Map.of())
                        .experiment()
                        .profiling()
                        .isWanted())
                .isFalse();
    }

    @Test
    void itsFileIsReadBackAsTheSame() {
        Experiment experiment =
                trial(two(true), List.of("put", "get"), Map.of("rate", "1k")).experiment();

        assertThat(Experiments.read("x", ExperimentText.of(experiment), Path.of("/"), Scale.FULL))
                .isEqualTo(experiment);
    }

    @Test
    void whatIsWrongIsOneLine() {
        refused(trial(two(false), List.of("eat"), Map.of()), "'eat'");
        refused(trial(two(false), List.of("my.yaml"), Map.of()), "'my.yaml' is a file");
        refused(trial(two(false), List.of("put"), Map.of("rate", "fast")), "'rate': ");
        refused(trial(List.of(server("Old", false), server("new", false)), List.of("put"), Map.of()), "'Old' is not");
        refused(
                new Trial("t", "t", "t", two(false), List.of("put"), Map.of(), List.of("speed")),
                "'speed' is neither a percentile");
    }

    private static void refused(Trial trial, String why) {
        assertThatThrownBy(trial::experiment)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }
}
