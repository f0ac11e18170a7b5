package kvant.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The page of answers cites the published tests as their experiments do.
class SourcesTest {

    private static final Path ROOT = Path.of("../..");

    @Test
    void theAnswersCiteEachPublishedTest() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/answers.md"));
        String letters = "";
        try (Stream<Path> files = Files.list(ROOT.resolve("experiments"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                Map<?, ?> experiment =
                        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
                if (experiment.get("source") instanceof Map<?, ?> source) {
                    String row = "| %s | %s | %s | %s | %s |"
                            .formatted(
                                    experiment.get("letter"),
                                    source.get("title"),
                                    source.get("course"),
                                    source.get("year"),
                                    source.get("stage"));
                    assertThat(lines).contains(row);
                    assertThat((List<?>) Objects.requireNonNull(source.get("links")))
                            .allSatisfy(
                                    link -> assertThat(String.join("\n", lines)).contains("](" + link + ")"));
                    letters += experiment.get("letter");
                }
            }
        }
        assertThat(letters.chars().sorted().mapToObj(Character::toString).toList())
                .containsExactly("A", "B", "C", "D", "E");
    }
}
