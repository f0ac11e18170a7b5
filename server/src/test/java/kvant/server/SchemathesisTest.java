package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.text.python.PythonTools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Schemathesis makes requests of the API's description, valid and invalid ones, and finds no answer that differs from
/// it. It comes from PyPI, pinned with hashes; where that cannot be reached, this test says so and is skipped.
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SchemathesisTest {

    private static final Path TOOL = Path.of("src", "test", "schemathesis").toAbsolutePath();
    private static final Path DESCRIPTION = Path.of("src", "main", "resources", "kvant", "server", "openapi.yaml")
            .toAbsolutePath();

    /// For requests that are made up; those that the description names come in any case.
    private static final String SECONDS = Boolean.getBoolean("kvant.test.all") ? "120" : "15";

    @Test
    void theNodeAnswersAsItsDescriptionSays() throws Exception {
        PythonTools tools = PythonTools.install("schemathesis", TOOL.resolve("requirements.txt"), "st");
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            String url = "http://127.0.0.1:" + harness.node.port();
            PythonTools.Ran ran = tools.run(
                    8,
                    Map.of("SCHEMATHESIS_HOOKS", "kvant_hooks", "PYTHONPATH", TOOL.toString()),
                    List.of(
                            tools.program("st").toString(),
                            "--no-color",
                            "--config-file",
                            TOOL.resolve("schemathesis.toml").toString(),
                            "run",
                            DESCRIPTION.toString(),
                            "--url",
                            url,
                            "--phases",
                            "coverage,fuzzing",
                            "--max-time",
                            SECONDS));

            assertThat(ran.exitCode()).as(ran.output()).isZero();
            assertThat(ran.output()).containsPattern("Selected: (\\d+)/\\1\\s+Tested: \\1\\s");
        }
    }
}
