package kvant.lab.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Niceness;
import kvant.lab.experiment.Server;
import kvant.lab.experiment.Variant;
import kvant.lab.process.ProgramPath;
import kvant.lab.result.Remark;

/// Finds what will not start, before the first run: options that this Kvant does not understand,
/// options that this JVM does not understand, programs that are not there.
public final class Preflight {

    private static final long JVM_SECONDS = 30;

    private final KvantCommand kvant;
    private final Function<List<String>, String> obstacle;
    private final Map<List<String>, Optional<Remark>> judgedJvm = new LinkedHashMap<>();

    private Preflight(KvantCommand kvant, Function<List<String>, String> obstacle) {
        this.kvant = kvant;
        this.obstacle = obstacle;
    }

    /// @param obstacle why `kvant serve` does not take these options, or empty
    /// @return by the name of a variant why it cannot start
    public static Map<String, Remark> obstacles(
            Experiment experiment, KvantCommand kvant, Function<List<String>, String> obstacle) {
        Preflight own = new Preflight(kvant, obstacle);
        Map<String, Remark> obstacles = new LinkedHashMap<>();
        for (Variant variant : experiment.variants()) {
            Optional<Remark> unfit = switch (variant.server()) {
                case Server.Kvant node -> own.node(node);
                case Server.External external -> program(external);
            };
            Optional<Remark> why = unfit.or(() -> niceness(experiment.nice()));
            why.ifPresent(remark -> obstacles.put(variant.name(), remark));
        }
        return obstacles;
    }

    private Optional<Remark> node(Server.Kvant node) {
        if (node.program().isBench() && kvant.bench().isEmpty()) {
            return Optional.of(new Remark.BenchmarksNotBuilt());
        }
        boolean known = node.program() == Server.Program.SERVE; // those of the benchmarks show when it starts
        String why = known ? obstacle.apply(node.arguments()) : "";
        if (!why.isEmpty()) {
            return Optional.of(new Remark.OptionsRefused(String.join(" ", node.arguments()), why));
        }
        return node.jvm().isEmpty() ? Optional.empty() : judgedJvm.computeIfAbsent(node.jvm(), this::jvm);
    }

    /// What the JVM itself says of options.
    private Optional<Remark> jvm(List<String> options) {
        List<String> words = Stream.of(kvant.java(), options, List.of("-version"))
                .flatMap(List::stream)
                .toList();
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            byte[] said = process.getInputStream().readNBytes(8192);
            if (!process.waitFor(JVM_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.of(new Remark.JvmRefused(String.join(" ", options), ""));
            }
            String first =
                    new String(said, StandardCharsets.UTF_8).lines().findFirst().orElse("");
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(new Remark.JvmRefused(String.join(" ", options), first));
        } catch (IOException e) {
            return Optional.of(new Remark.CannotStart(words.getFirst(), String.valueOf(e.getMessage())));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<Remark> niceness(Niceness nice) {
        List<String> words = nice.of(List.of());
        return words.isEmpty() || ProgramPath.has(words.getFirst())
                ? Optional.empty()
                : Optional.of(new Remark.NoProgramOnPath(words.getFirst()));
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
        return ProgramPath.has(program) ? Optional.empty() : Optional.of(new Remark.NoProgramOnPath(program));
    }
}
