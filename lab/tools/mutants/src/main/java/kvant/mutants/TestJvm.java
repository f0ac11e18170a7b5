package kvant.mutants;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs tests of a module in a separate process, as in the build: in the module's folder, with the options of the
/// root's `argLine`.
final class TestJvm {

    enum Verdict {
        PASSED,
        FAILED,
        /// The test, or every part of it, was not executed on this machine.
        NOT_RUN,
        /// Exceeded its time limit.
        HUNG
    }

    /// @param millis duration of the test
    record Result(Verdict verdict, long millis) {}

    /// Time limit of a process that does not end by itself.
    private static final Duration START = Duration.ofMinutes(5);

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

    private final Path root;
    private final Path scratch;
    private final Modules modules;

    /// @param scratch for files of the tests; emptied before each run
    TestJvm(Path root, Path scratch, Modules modules) {
        this.root = root;
        this.scratch = scratch;
        this.modules = modules;
    }

    /// The class path of a module's tests.
    static String classPath(Path module) {
        return String.join(
                File.pathSeparator,
                module.resolve("target/test-classes").toString(),
                module.resolve("target/classes").toString(),
                Modules.read(module.resolve("target/test.classpath")).strip());
    }

    /// Runs tests of one module sequentially. After a test that failed or hung, a new process runs the others.
    ///
    /// @param limit of each test
    /// @param overlay classes that replace those of the same name
    List<Result> run(List<Mutant.Test> tests, Path overlay, Duration limit) {
        List<Result> results = new ArrayList<>();
        while (results.size() < tests.size()) {
            Modules.empty(scratch);
            Path told = scratch.resolve("results");
            process(tests.subList(results.size(), tests.size()), overlay, told, limit);
            String lines = Files.exists(told) ? Modules.read(told) : Verdict.NOT_RUN + " 0";
            for (String line : lines.lines().toList()) {
                String[] words = line.split(" ");
                results.add(new Result(Verdict.valueOf(words[0]), Long.parseLong(words[1])));
            }
        }
        return results;
    }

    private void process(List<Mutant.Test> tests, Path overlay, Path told, Duration limit) {
        Path module = tests.getFirst().module();
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of(arguments().split("\\s+")));
        command.add("-Djava.io.tmpdir=" + scratch.resolve("tmp"));
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator, overlay.toString(), classPath(module), System.getProperty("java.class.path")));
        command.add(TestRun.class.getName());
        command.add(told.toString());
        command.add(Long.toString(limit.toMillis()));
        tests.forEach(test -> command.add(qualified(test)));
        try {
            Files.createDirectories(scratch.resolve("tmp"));
            Process process = new ProcessBuilder(command)
                    .directory(module.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(scratch.resolve("output").toFile())
                    .start();
            process.waitFor(tests.size() * limit.plus(START).toMillis(), TimeUnit.MILLISECONDS);
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The options of the root, even if a module has others: a mutant's test runs alone.
    private String arguments() {
        String pom = Modules.read(root.resolve("pom.xml"));
        return PROPERTY.matcher(element(pom, "argLine", "-Xmx768m"))
                .replaceAll(property -> Matcher.quoteReplacement(element(pom, property.group(1), "")))
                .strip();
    }

    private static String element(String pom, String name, String otherwise) {
        String tag = Pattern.quote(name);
        Matcher matcher = Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL)
                .matcher(pom);
        return matcher.find() ? matcher.group(1).strip() : otherwise;
    }

    private String qualified(Mutant.Test test) {
        Path tests = test.module().resolve("src/test/java");
        String file = tests.relativize(modules.test(test.module(), test.type()).orElseThrow())
                .toString();
        return file.replace(".java", "").replace(File.separatorChar, '.')
                + (test.method().isEmpty() ? "" : "#" + test.method());
    }
}
