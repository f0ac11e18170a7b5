package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Schemathesis makes requests of the API's description, valid and invalid ones, and finds no answer that differs from
/// it. It comes from PyPI, pinned with hashes; where that cannot be reached, this test says so and is skipped.
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SchemathesisTest {

    private static final Path TOOL = Path.of("src", "test", "schemathesis").toAbsolutePath();
    private static final Path DESCRIPTION = Path.of("src", "main", "resources", "kvant", "server", "openapi.yaml")
            .toAbsolutePath();
    private static final Path TARGET = Path.of("target", "schemathesis").toAbsolutePath();

    private record Ran(int exitCode, String output) {}

    private static Ran run(long minutes, Map<String, String> environment, List<String> command) throws Exception {
        Path output = Files.createTempFile(TARGET, "run", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(TARGET.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return new Ran(-1, String.valueOf(e.getMessage()));
        }
        if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return new Ran(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /// @return the program
    private static String install() throws Exception {
        Files.createDirectories(TARGET);
        Path program = TARGET.resolve("venv/bin/st");
        if (!Files.isExecutable(program)) {
            Ran made = run(2, Map.of(), List.of("python3", "-m", "venv", "--clear", "venv"));
            assumeTrue(made.exitCode() == 0, () -> "NOT RUN: no Python with venv: " + made.output());
            Ran installed = run(
                    3,
                    Map.of(),
                    List.of(
                            "venv/bin/pip",
                            "install",
                            "-q",
                            "--disable-pip-version-check",
                            "--retries",
                            "1",
                            "--require-hashes",
                            "--only-binary=:all:",
                            "-r",
                            TOOL.resolve("requirements.txt").toString()));
            assumeTrue(
                    installed.exitCode() == 0,
                    () -> "NOT RUN: schemathesis cannot be installed from PyPI: " + installed.output());
        }
        return program.toString();
    }

    @Test
    void theNodeAnswersAsItsDescriptionSays() throws Exception {
        String program = install();
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.slowPage = true))) {
            String url = "http://127.0.0.1:" + harness.node.port();
            Ran ran = run(
                    8,
                    Map.of("SCHEMATHESIS_HOOKS", "kvant_hooks", "PYTHONPATH", TOOL.toString()),
                    List.of(
                            program,
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
                            "40"));

            assertThat(ran.exitCode()).as(ran.output()).isZero();
            assertThat(ran.output()).containsPattern("Selected: (\\d+)/\\1\\s+Tested: \\1\\s");
        }
    }
}
