package kvant.text.python;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Programs from PyPI that tests run, pinned with hashes, in a place of their own under `target`. Where they cannot be
/// had, a test that needs one says so and is skipped.
public final class PythonTools {

    private final Path folder;

    /// What a program has printed, and its exit code.
    public record Ran(int exitCode, String output) {}

    private PythonTools(Path folder) {
        this.folder = folder;
    }

    /// @param name of their folder in `target`
    /// @param requirements names, versions and hashes
    /// @param program one of them
    public static PythonTools install(String name, Path requirements, String program) throws Exception {
        PythonTools tools =
                new PythonTools(Files.createDirectories(Path.of("target", name).toAbsolutePath()));
        if (!Files.isExecutable(tools.program(program))) {
            Ran made = tools.run(2, Map.of(), List.of("python3", "-m", "venv", "--clear", "venv"));
            assumeTrue(made.exitCode() == 0, () -> "NOT RUN: no Python with venv: " + made.output());
            Ran installed = tools.run(
                    4,
                    Map.of(),
                    List.of(
                            "venv/bin/pip",
                            "install",
                            "-q",
                            "--no-compile", // what is not run needs none
                            "--disable-pip-version-check",
                            "--retries",
                            "1",
                            "--require-hashes",
                            "--only-binary=:all:",
                            "-r",
                            requirements.toAbsolutePath().toString()));
            assumeTrue(
                    installed.exitCode() == 0,
                    () -> "NOT RUN: " + program + " cannot be installed from PyPI: " + installed.output());
        }
        return tools;
    }

    /// Python itself, of this version or a newer one, for programs that need nothing else.
    ///
    /// @param name of a folder in `target`
    public static PythonTools plain(String name, int major, int minor) throws Exception {
        PythonTools tools =
                new PythonTools(Files.createDirectories(Path.of("target", name).toAbsolutePath()));
        String check = "import sys; sys.exit(sys.version_info < (" + major + ", " + minor + "))";
        Ran checked = tools.run(1, Map.of(), List.of("python3", "-c", check));
        assumeTrue(
                checked.exitCode() == 0, () -> "NOT RUN: no Python " + major + "." + minor + ": " + checked.output());
        return tools;
    }

    public Path program(String name) {
        return folder.resolve("venv/bin").resolve(name);
    }

    /// Runs a program to its end, or for so many minutes.
    public Ran run(long minutes, Map<String, String> environment, List<String> command) throws Exception {
        Path output = Files.createTempFile(folder, "run", ".txt");
        Process process;
        try {
            process = start(environment, command, output);
        } catch (IOException e) {
            return new Ran(-1, String.valueOf(e.getMessage()));
        }
        if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return new Ran(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /// @param output gets what it prints
    public Process start(Map<String, String> environment, List<String> command, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }
}
