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

/// The running program, to be started again and to be named in a report.
public final class ThisKvant {

    private final String main;
    private final Function<List<String>, String> obstacle;

    /// @param main the class whose `main` understands `serve`
    /// @param obstacle why `serve` refuses these options, or empty
    public ThisKvant(String main, Function<List<String>, String> obstacle) {
        this.main = main;
        this.obstacle = obstacle;
    }

    Function<List<String>, String> obstacle() {
        return obstacle;
    }

    /// The same JVM, options of the launcher and class path; without what `KVANT_JAVA_OPTS` adds,
    /// because that is meant for the laboratory.
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

    /// What starts the benchmarks, which the launcher builds, or nothing outside of a source tree.
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
