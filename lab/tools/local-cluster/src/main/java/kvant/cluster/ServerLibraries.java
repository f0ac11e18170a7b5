package kvant.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The published jars of the server, resolved by Maven once, and cached in a directory.
final class ServerLibraries {

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";
    private static final String POM = "server.pom";

    // Constant.
    private final Path directory;
    private final @Nullable Path sourceTree;

    /// @param directory for the cached result
    /// @param sourceTree with the Maven wrapper, or null for the Maven on the path
    ServerLibraries(Path directory, @Nullable Path sourceTree) {
        this.directory = directory;
        this.sourceTree = sourceTree;
    }

    /// @throws ClusterException naming the file with the reason
    String classPath() {
        Path kept = directory.resolve("classpath");
        try {
            byte[] wanted = resource(POM);
            Files.createDirectories(directory);
            Path pom = directory.resolve(POM);
            if (Files.exists(kept) && Files.exists(pom) && Arrays.equals(wanted, Files.readAllBytes(pom))) {
                String classPath = Files.readString(kept).strip();
                if (Stream.of(classPath.split(File.pathSeparator)).allMatch(jar -> Files.exists(Path.of(jar)))) {
                    return classPath;
                }
            }
            Files.write(pom, wanted);
            Path fresh = directory.resolve("classpath.new");
            resolve(pom, fresh);
            Files.move(fresh, kept, StandardCopyOption.REPLACE_EXISTING);
            return Files.readString(kept).strip();
        } catch (IOException e) {
            throw new ClusterException(
                    "cannot keep the server's class path in " + directory + ": " + e.getMessage(), e);
        }
    }

    private void resolve(Path pom, Path output) throws IOException {
        Path log = directory.resolve("maven.log");
        List<String> command =
                List.of(maven(), "-q", "-B", "-ntp", "-f", pom.toString(), PLUGIN, "-Dmdep.outputFile=" + output);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            if (builder.start().waitFor() != 0 || !Files.exists(output)) {
                throw new ClusterException(
                        "Maven could not resolve Cassandra's jars: the reason is in " + log + "; is there a network?");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while Maven resolved Cassandra's jars", e);
        } catch (IOException e) {
            throw new ClusterException(
                    "cannot start Maven (" + maven() + "): run ./kvant in a source tree, or install Maven", e);
        }
    }

    private String maven() {
        Path wrapper = sourceTree == null ? null : sourceTree.resolve("mvnw");
        return wrapper != null && Files.isExecutable(wrapper) ? wrapper.toString() : "mvn";
    }

    /// A resource file next to this class.
    static byte[] resource(String name) {
        try (InputStream in = ServerLibraries.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in this build");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClusterException("cannot read " + name + " of this build", e);
        }
    }

    static String text(String name) {
        return new String(resource(name), StandardCharsets.UTF_8);
    }
}
