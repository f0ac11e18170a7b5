package kvant.text.python;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.text.tool.Tool;

/// Programs from PyPI that tests run, pinned with hashes. Installing them takes longer than most tests, so that
/// they are kept in `.build/python` of the source tree, which `mvn clean` leaves alone. Where they cannot be had, a
/// test that needs one is left out as [Tool] says.
public final class PythonTools {

    /// Written when the last of them is installed.
    private static final String COMPLETE = "complete";

    private final Path folder;
    private final Path environment;

    /// The output of a program, and its exit code.
    public record Ran(int exitCode, String output) {}

    private PythonTools(Path folder, Path environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /// @param name of their folder in `target`, where they run
    /// @param requirements names, versions and hashes
    /// @param program one of them
    public static synchronized PythonTools install(String name, Path requirements, String program) throws Exception {
        Path folder = Files.createDirectories(Path.of("target", name).toAbsolutePath());
        Path all = folder(name);
        PythonTools tools = new PythonTools(folder, all.resolve(version(requirements)));
        Path lock = Files.createDirectories(all.getParent()).resolve(name + ".lock");
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) { // other JVMs of tests install the same
            tools.install(all, requirements, program);
        }
        return tools;
    }

    private void install(Path all, Path requirements, String needed) throws Exception {
        Path complete = environment.resolve(COMPLETE);
        if (!Files.exists(complete) || !Files.isExecutable(program(needed))) {
            delete(all); // other versions, and what an interrupted installation has left
            String python = Tool.PYTHON.need().toString();
            Ran made = run(2, Map.of(), List.of(python, "-m", "venv", environment.toString()));
            if (made.exitCode() != 0) {
                Tool.leaveOut("no Python with venv: " + made.output(), Tool.PYTHON.packageName());
            }
            Ran installed = run(
                    4,
                    Map.of(),
                    List.of(
                            program("pip").toString(),
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
            if (installed.exitCode() != 0) {
                Tool.leaveOut(needed + " cannot be installed: " + installed.output(), "PyPI");
            }
            Files.createFile(complete);
        }
    }

    /// In the source tree that the tests run in.
    private static Path folder(String name) {
        Path tree = Path.of("").toAbsolutePath();
        while (tree != null && !Files.exists(tree.resolve("mvnw"))) {
            tree = tree.getParent();
        }
        Path base = tree == null ? Path.of("target").toAbsolutePath() : tree.resolve(".build");
        return base.resolve("python").resolve(name);
    }

    /// Of the requirements and of the Python that they are installed for.
    private static String version(Path requirements) throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(Files.readAllBytes(requirements));
        for (String place : String.valueOf(System.getenv("PATH")).split(File.pathSeparator)) {
            Path python = Path.of(place, "python3");
            if (Files.isExecutable(python)) {
                digest.update(python.toRealPath().toString().getBytes(StandardCharsets.UTF_8));
                break;
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /// Python itself, of this version or a newer one, for programs that need nothing else.
    ///
    /// @param name of a folder in `target`
    public static PythonTools plain(String name, int major, int minor) throws Exception {
        Path folder = Files.createDirectories(Path.of("target", name).toAbsolutePath());
        PythonTools tools = new PythonTools(folder, folder);
        String check = "import sys; sys.exit(sys.version_info < (" + major + ", " + minor + "))";
        Ran checked = tools.run(1, Map.of(), List.of(Tool.PYTHON.need().toString(), "-c", check));
        if (checked.exitCode() != 0) {
            Tool.leaveOut("python3 is older than " + major + "." + minor, Tool.PYTHON.packageName());
        }
        return tools;
    }

    public Path program(String name) {
        return environment.resolve("bin").resolve(name);
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
