package kvant.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
        if (wanted != null) {
            Path home = homeOf(Path.of(wanted));
            if (home == null) {
                throw new ClusterException(VARIABLE + "=" + wanted + " is not a Java 17");
            }
            return home;
        }
        for (Path candidate : candidates(environment, folders)) {
            Path home = homeOf(candidate);
            if (home != null) {
                return home;
            }
        }
        throw new ClusterException("Cassandra 5.0 runs on Java 17, and there is none: install one (package"
                + " openjdk-17-jre-headless or temurin-17-jre) or set " + VARIABLE + " to its folder");
    }

    private static List<Path> candidates(Map<String, String> environment, List<Path> folders) {
        List<Path> candidates = new ArrayList<>();
        String javaHome = environment.get("JAVA_HOME");
        if (javaHome != null) {
            candidates.add(Path.of(javaHome));
        }
        List<Path> all = new ArrayList<>(folders);
        String home = environment.get("HOME");
        if (home != null) {
            all.add(Path.of(home, ".sdkman/candidates/java"));
            all.add(Path.of(home, ".jdks"));
        }
        for (Path folder : all) {
            List<Path> found = new ArrayList<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                entries.forEach(found::add);
            } catch (IOException _) {
                continue; // missing, or not readable
            }
            Collections.sort(found);
            candidates.addAll(found);
        }
        return candidates;
    }

    private static @Nullable Path homeOf(Path candidate) {
        for (Path home : List.of(candidate, candidate.resolve("Contents/Home"))) {
            if (Files.isExecutable(home.resolve("bin/java")) && is17(home.resolve("release"))) {
                return home;
            }
        }
        return null;
    }

    private static boolean is17(Path release) {
        try {
            return IS_17.matcher(Files.readString(release)).find();
        } catch (IOException _) {
            return false;
        }
    }
}
