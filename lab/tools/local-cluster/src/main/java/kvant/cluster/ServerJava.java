package kvant.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds a Java 17, required by Cassandra 5.0. The version is read from the file `release`, without starting Java.
public final class ServerJava {

    /// The environment variable with its path.
    public static final String VARIABLE = "KVANT_JAVA17";

    private static final Pattern IS_17 = Pattern.compile("(?m)^JAVA_VERSION=\"17[.\"]");

    private static final List<String> FOLDERS = List.of(
            "/usr/lib/jvm", "/usr/java", "/opt/java", "/opt", "/Library/Java/JavaVirtualMachines", "/opt/homebrew/opt");

    private ServerJava() {}

    /// @return its home
    /// @throws ClusterException when there is none, with instructions
    public static Path find(Map<String, String> environment) {
        return find(environment, FOLDERS.stream().map(Path::of).toList());
    }

    static Path find(Map<String, String> environment, List<Path> folders) {
        String wanted = environment.get(VARIABLE);
        Stream<Path> candidates = wanted == null ? candidates(environment, folders) : Stream.of(Path.of(wanted));
        return candidates
                .flatMap(candidate -> Stream.of(candidate, candidate.resolve("Contents/Home")))
                .filter(home -> Files.isExecutable(home.resolve("bin/java")) && is17(home.resolve("release")))
                .findFirst()
                .orElseThrow(() -> new ClusterException(
                        wanted != null
                                ? VARIABLE + "=" + wanted + " is not a Java 17"
                                : "Cassandra 5.0 runs on Java 17, and there is none: install one (package"
                                        + " openjdk-17-jre-headless or temurin-17-jre) or set " + VARIABLE
                                        + " to its folder"));
    }

    private static Stream<Path> candidates(Map<String, String> environment, List<Path> folders) {
        Stream<Path> own = Stream.ofNullable(environment.get("JAVA_HOME")).map(Path::of);
        Stream<Path> ofUser = Stream.ofNullable(environment.get("HOME"))
                .flatMap(home -> Stream.of(Path.of(home, ".sdkman/candidates/java"), Path.of(home, ".jdks")));
        return Stream.concat(own, Stream.concat(folders.stream(), ofUser).flatMap(ServerJava::list));
    }

    /// Nothing of a folder that is missing, or not readable.
    private static Stream<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList().stream();
        } catch (IOException _) {
            return Stream.of();
        }
    }

    private static boolean is17(Path release) {
        try {
            return IS_17.matcher(Files.readString(release)).find();
        } catch (IOException _) {
            return false;
        }
    }
}
