package kvant.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.process.ProgramPath;
import kvant.lab.result.Remark;
import kvant.lab.run.Launch.KvantCommand;

/// Finds variants that cannot start, before the first run: options unknown to this Kvant or this JVM, and missing
/// programs.
public final class Preflight {

    private static final long JVM_SECONDS = 30;
    private static final long VERSION_SECONDS = 10;
    private static final int MOST_READ = 8192;
    private static final int LONGEST_VERSION = 200;

    private final KvantCommand kvant;
    private final Function<List<String>, String> obstacle;
    private final Map<List<String>, Optional<Remark>> judgedJvm = new LinkedHashMap<>();

    private Preflight(KvantCommand kvant, Function<List<String>, String> obstacle) {
        this.kvant = kvant;
        this.obstacle = obstacle;
    }

    /// @param obstacle returns the reason why `kvant serve` refuses these options, or an empty text
    /// @return reasons why variants cannot start, by name
    public static Map<String, Remark> obstacles(
            Experiment experiment, KvantCommand kvant, Function<List<String>, String> obstacle) {
        Preflight own = new Preflight(kvant, obstacle);
        Map<String, Remark> obstacles = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            Optional<Remark> unfit = switch (variant.server()) {
                case Server.Kvant node -> own.node(node);
                case Server.External external -> program(external);
            };
            List<String> nice = experiment.nice().of(List.of());
            Optional<Remark> why = nice.isEmpty() ? unfit : unfit.or(() -> onPath(nice.getFirst()));
            why.ifPresent(remark -> obstacles.put(variant.name(), remark));
        }
        return obstacles;
    }

    private Optional<Remark> node(Server.Kvant node) {
        if (node.program().isBench() && kvant.bench().isEmpty()) {
            return Optional.of(new Remark.BenchmarksNotBuilt());
        }
        boolean known = node.program() == Server.Program.SERVE; // others are checked at their start
        String why = known ? obstacle.apply(node.arguments()) : "";
        if (!why.isEmpty()) {
            return Optional.of(new Remark.OptionsRefused(String.join(" ", node.arguments()), why));
        }
        return node.jvm().isEmpty() ? Optional.empty() : judgedJvm.computeIfAbsent(node.jvm(), this::jvm);
    }

    /// The JVM's own error message for options.
    private Optional<Remark> jvm(List<String> options) {
        List<String> words = Stream.of(kvant.java(), options, List.of("-version"))
                .flatMap(List::stream)
                .toList();
        try {
            Said said = ask(words, JVM_SECONDS);
            return said.code() == 0
                    ? Optional.empty()
                    : Optional.of(new Remark.JvmRefused(String.join(" ", options), said.firstLine()));
        } catch (IOException e) {
            return Optional.of(new Remark.CannotStart(words.getFirst(), String.valueOf(e.getMessage())));
        }
    }

    /// The exit code of a program, and its first non-blank line.
    private record Said(int code, String firstLine) {}

    /// Runs a program; it is killed when it takes too long.
    private static Said ask(List<String> words, long seconds) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("PATH", ProgramPath.text());
        Process process = builder.start();
        try (InputStream in = process.getInputStream()) {
            process.getOutputStream().close();
            CompletableFuture<Process> ended =
                    process.onExit().orTimeout(seconds, TimeUnit.SECONDS).exceptionally(_ -> process.destroyForcibly());
            String said = new String(in.readNBytes(MOST_READ), StandardCharsets.UTF_8);
            int code = ended.thenCompose(Process::onExit).join().exitValue();
            return new Said(
                    code,
                    said.lines()
                            .map(String::strip)
                            .filter(one -> !one.isEmpty())
                            .findFirst()
                            .orElse(""));
        } finally {
            process.destroyForcibly();
        }
    }

    /// Queries the versions of other servers at the start of a run, because a report without them is worthless. A
    /// server that does not answer has none.
    ///
    /// @param leftOut variants that will not start
    /// @return by the name of a variant
    static Map<String, String> versions(Experiment experiment, Set<String> leftOut) {
        Map<String, String> versions = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            if (!leftOut.contains(variant.name())
                    && variant.server() instanceof Server.External external
                    && !external.peer().version().isEmpty()) {
                versions.put(variant.name(), version(external.peer().version()));
            }
        }
        return versions;
    }

    private static String version(List<String> command) {
        try {
            String line = ask(command, VERSION_SECONDS).firstLine();
            return line.substring(0, Math.min(LONGEST_VERSION, line.length()));
        } catch (IOException _) {
            return "";
        }
    }

    private static Optional<Remark> program(Server.External external) {
        String program = external.command().getFirst();
        Path folder = Path.of(external.folder());
        if (!Files.isDirectory(folder)) {
            return Optional.of(new Remark.NoFolder(folder.toString()));
        }
        for (Map.Entry<String, String> needed : external.peer().needs().entrySet()) {
            if (!ProgramPath.has(needed.getKey())) {
                return Optional.of(new Remark.PackageNotInstalled(needed.getKey(), needed.getValue()));
            }
        }
        if (program.contains("${")) {
            return Optional.empty();
        }
        if (program.contains("/")) {
            return Files.isExecutable(Path.of(program)) ? Optional.empty() : Optional.of(new Remark.NoProgram(program));
        }
        return onPath(program);
    }

    private static Optional<Remark> onPath(String program) {
        return ProgramPath.has(program) ? Optional.empty() : Optional.of(new Remark.NoProgramOnPath(program));
    }
}
