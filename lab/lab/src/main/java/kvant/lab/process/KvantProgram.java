package kvant.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Commands of the measured Kvant, each as a separate process, with JVM options, class cache and class path from the
/// launcher. Additions of `KVANT_JAVA_OPTS` apply only to the benchmark.
public final class KvantProgram {

    private static final String CLASS_PATH = "kvant.node.classpath";
    private static final String MAIN = "kvant.cli.Main";
    private static final String BENCH = "kvant.bench.Main";

    private KvantProgram() {}

    /// The command line of `kvant ARGUMENTS`.
    ///
    /// @param jvm options after those of the launcher, so that they take precedence
    public static List<String> command(List<String> jvm, List<String> arguments) {
        @Nullable String cache = System.getProperty("kvant.node.cache"); // its path may have spaces
        Stream<String> cached = Stream.ofNullable(cache).map(file -> "-XX:AOTCache=" + file);
        String path = System.getProperty(CLASS_PATH, System.getProperty("java.class.path"));
        return words(path, Stream.concat(cached, jvm.stream()), MAIN, arguments);
    }

    /// Uses the program built in another source tree from now on.
    ///
    /// @throws UserException when there is none
    public static void useNodesOf(Path tree) {
        Path libraries = tree.resolve("cli/target/dist/lib").toAbsolutePath();
        if (!Files.isDirectory(libraries)) {
            throw new UserException("there is no " + libraries + ": build that tree, as its './kvant version' does");
        }
        System.setProperty(CLASS_PATH, libraries + "/*");
    }

    /// The command line of `kvant bench ARGUMENTS`.
    public static List<String> bench(List<String> arguments) {
        return words(System.getProperty("java.class.path"), Stream.of(), BENCH, arguments);
    }

    private static List<String> words(String classPath, Stream<String> jvm, String main, List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(split(System.getProperty("kvant.node.options", "--enable-native-access=ALL-UNNAMED -Xmx512m")));
        String root = System.getProperty("kvant.root");
        if (root != null) {
            words.add("-Dkvant.root=" + root);
        }
        jvm.forEach(words::add);
        String path = Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        words.addAll(List.of("-cp", path, main));
        words.addAll(arguments);
        return words;
    }

    /// The words of a multi-word option, empty for an empty text.
    private static List<String> split(String words) {
        return words.isBlank() ? List.of() : List.of(words.strip().split("\\s+"));
    }
}
