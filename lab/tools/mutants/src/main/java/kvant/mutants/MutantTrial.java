package kvant.mutants;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Applies one mutant and runs its test. Only the changed file is compiled, into a folder at the front of the class
/// path; no file of the tree changes. Other classes keep the old value of an inlined constant.
final class MutantTrial {

    enum Outcome {
        CAUGHT,
        /// Caught by the time limit of its test.
        HUNG,
        SURVIVED,
        /// Does not compile, or its test does not run.
        BROKEN
    }

    /// @param why reason for being broken, or empty
    record Result(Mutant mutant, Outcome outcome, long millis, String why) {

        boolean isCaught() {
            return outcome == Outcome.CAUGHT || outcome == Outcome.HUNG;
        }

        /// True if it is broken, or was not caught although it should be.
        boolean isWrong() {
            return outcome == Outcome.BROKEN || outcome == Outcome.SURVIVED && mutant.mustBeCaught();
        }
    }

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final Modules modules;
    private final TestJvm jvm;
    private final Path overlay;
    private final Duration grace;

    /// @param overlay for classes of the mutant; named `classes`, as some tests expect, and emptied before each
    /// @param grace additional time for a test, beyond five times its normal duration
    MutantTrial(Modules modules, TestJvm jvm, Path overlay, Duration grace) {
        this.modules = modules;
        this.jvm = jvm;
        this.overlay = overlay;
        this.grace = grace;
    }

    /// @param usualMillis duration of its test without the mutant
    Result run(Mutant mutant, long usualMillis) {
        long startNanos = System.nanoTime();
        String compileErrors = plant(mutant);
        if (!compileErrors.isEmpty()) {
            return new Result(mutant, Outcome.BROKEN, 0, "it does not compile: " + compileErrors);
        }
        // Five times, because a fault may make a test slow, and the machine may be busy.
        Duration limit = Duration.ofMillis(5 * usualMillis).plus(grace);
        TestJvm.Result result = jvm.run(List.of(mutant.test()), overlay, limit).getFirst();
        Outcome outcome = switch (result.verdict()) {
            case FAILED -> Outcome.CAUGHT;
            case HUNG -> Outcome.HUNG;
            case PASSED -> Outcome.SURVIVED;
            case NOT_RUN -> Outcome.BROKEN;
        };
        String why = outcome == Outcome.BROKEN ? "its test did not run" : "";
        return new Result(mutant, outcome, (System.nanoTime() - startNanos) / 1_000_000, why);
    }

    /// @return the compiler's errors, or empty
    private String plant(Mutant mutant) {
        Modules.empty(overlay);
        Path file = modules.sources(mutant.module(), mutant.file()).getFirst();
        String text = Patch.apply(Modules.read(file), mutant.find(), mutant.replace());
        if (file.toString().endsWith(".java")) {
            return compile(mutant.module(), file, text);
        }
        Path resources = mutant.module().resolve("src/main/resources");
        Path copy = overlay.resolve(resources.relativize(file).toString());
        try {
            Files.createDirectories(copy.resolveSibling(""));
            Files.writeString(copy, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "";
    }

    private String compile(Path module, Path file, String text) {
        StringWriter messages = new StringWriter();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + file.getFileName()), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        String out = overlay.toString();
        String path = TestJvm.classPath(module);
        List<String> options = List.of("-proc:none", "-g", "-nowarn", "-d", out, "-cp", path, "-sourcepath", out);
        boolean done = compiler.getTask(messages, null, null, options, null, List.of(source))
                .call();
        return done ? "" : messages.toString().strip().lines().limit(3).reduce("", (a, b) -> a + " " + b.strip());
    }
}
