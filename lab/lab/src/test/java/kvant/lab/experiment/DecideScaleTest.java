package kvant.lab.experiment;

import static kvant.lab.experiment.ExperimentReaderTest.SMALL;
import static kvant.lab.experiment.ExperimentReaderTest.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import kvant.lab.experiment.Experiment.Scale;
import org.junit.jupiter.api.Test;

/// The scale in which an experiment is run until its questions are answered.
class DecideScaleTest {

    private static List<String> steps(Experiment experiment) {
        return experiment.plan().stream().map(Step::id).toList();
    }

    @Test
    void whatIsComparedIsRunAndNothingElse() {
        String text = SMALL.replace("load: {rate", "  - {name: c, serve: {executor: sync}}\nload: {rate") + """
                at-most: 90m
                questions:
                  - {id: q, text: Which?, compare: [a, b], phase: get}
                  - {id: r, text: Which?, compare: [c, b], phase: put}
                decide: {at-most: 5m, load: {duration: 1s}}
                """;
        Experiment decide = read(text, Scale.DECIDE);

        assertThat(steps(decide))
                .containsExactly(
                        "01-b-put", "01-c-put", "02-c-put", "02-b-put", "01-a-get", "01-b-get", "02-b-get", "02-a-get");
        assertThat(decide.repeats()).isEqualTo(2);
        assertThat(decide.atMost()).isEqualTo(Duration.ofMinutes(5));
        assertThat(read(text).atMost()).isEqualTo(Duration.ofMinutes(90));
        assertThat(read(SMALL).atMost()).isEqualTo(Duration.ofHours(2));
        assertThat(steps(read(text.replace(", phase: get", ""), Scale.DECIDE)))
                .as("asked of each load")
                .contains("01-a-put", "01-a-get")
                .doesNotContain("01-c-get");
    }

    @Test
    void theQuickScaleRunsWhatIsComparedToo() {
        String text = SMALL + """
                questions:
                  - {id: q, text: Which?, compare: [a, b], phase: get}
                quick: {repeats: 1}
                """;

        assertThat(steps(read(text, Scale.QUICK))).containsExactly("01-a-get", "01-b-get");
    }

    @Test
    void withoutQuestionsItIsOneBlockOfAll() {
        assertThat(steps(read(SMALL + "decide: {}\n", Scale.DECIDE))).hasSize(8);
    }
}
