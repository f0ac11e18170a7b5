package kvant.lab.command;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.result.Identity;
import kvant.lab.run.KvantCommand;
import org.jspecify.annotations.Nullable;

/// The running program, to be started again and identified in a report.
public final class ThisKvant {

    private final String main;
    private final Function<List<String>, String> obstacle;

    /// @param main class whose `main` method understands `serve`
    /// @param obstacle returns the reason why `serve` refuses these options, or an empty text
    public ThisKvant(String main, Function<List<String>, String> obstacle) {
        this.main = main;
        this.obstacle = obstacle;
    }

    Function<List<String>, String> obstacle() {
        return obstacle;
    }

    /// The same JVM, launcher options and class path, without the additions of `KVANT_JAVA_OPTS`, which are intended
    /// for the laboratory.
    KvantCommand command() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        @Nullable String own = System.getenv("KVANT_JAVA_OPTS");
        if (own != null) {
            java.removeAll(Arrays.asList(own.strip().split("\\s+")));
        }
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return new KvantCommand(java, List.of("-cp", classPath, main), bench());
    }

    /// The command that starts the benchmarks, which the launcher builds; empty outside a source tree.
    private static List<String> bench() {
        @Nullable String root = System.getProperty("kvant.root");
        if (root == null || !Files.isDirectory(Path.of(root, "lab", "bench", "target", "lib"))) {
            return List.of();
        }
        Path module = Path.of(root, "lab", "bench", "target");
        String classPath =
                module.resolve("classes") + File.pathSeparator + module.resolve("lib") + File.separator + "*";
        return List.of("-cp", classPath, "kvant.bench.Main");
    }

    static Identity identity() {
        return Identity.of(ThisKvant.class);
    }
}
