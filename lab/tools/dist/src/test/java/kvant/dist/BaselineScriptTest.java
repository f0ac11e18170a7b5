package kvant.dist;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The baseline for later versions: the classes that programs may use, and no others. The tree of a test has the
/// classes and the poms of this one.
@Tag("full") // a minute: a Maven of its own
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BaselineScriptTest {

    private static final Path PROJECT = SmallPackages.root();
    private static final List<String> MODULES = List.of("engine", "engine-lsm", "client");

    /// To everyone, not to modules that are named.
    private static final Pattern EXPORTS = Pattern.compile("(?m)^ *exports ([\\w.]+);");

    private static final Pattern INCLUDE = Pattern.compile("<include>(.*)</include>");

    /// Without the parameters of a method.
    private static final Pattern EXCLUDE = Pattern.compile("<exclude>([^(<]*)");

    @TempDir
    Path tree;

    private record Ran(int exitCode, String output) {}

    @BeforeEach
    void classesAndPoms() throws IOException {
        copy(Path.of(".ci/baseline"));
        for (String module : MODULES) {
            copy(Path.of(module, "pom.xml"));
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module).resolve("target/classes"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    copy(PROJECT.relativize(file));
                }
            }
        }
    }

    private void copy(Path file) throws IOException {
        Path to = tree.resolve(file);
        Files.createDirectories(to.getParent());
        Files.copy(PROJECT.resolve(file), to);
    }

    private Ran baseline(String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile("baseline", ".txt");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(tree.resolve(".ci/baseline").toString()), Stream.of(arguments))
                                .toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("KVANT_JAVA_HOME");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int exitCode = builder.start().waitFor();
        String text = Files.readString(output);
        Files.delete(output);
        return new Ran(exitCode, text);
    }

    private Path written(String module) {
        return tree.resolve(module).resolve("src/api/baseline.jar");
    }

    private Set<String> packagesOf(String module) throws IOException {
        try (JarFile jar = new JarFile(written(module).toFile())) {
            return jar.stream()
                    .map(entry -> entry.getName().substring(0, entry.getName().lastIndexOf('/')))
                    .map(folder -> folder.replace('/', '.'))
                    .collect(toCollection(TreeSet::new));
        }
    }

    private static Set<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void itHasThePackagesThatAreExportedAndThatTheBuildCompares() throws Exception {
        Ran ran = baseline();
        assertThat(ran.exitCode()).as(ran.output()).isZero();

        for (String module : MODULES) {
            assertThat(packagesOf(module))
                    .as(module)
                    .isEqualTo(found(INCLUDE, PROJECT.resolve(module).resolve("pom.xml")));
        }
        for (String module : List.of("engine", "client")) {
            assertThat(packagesOf(module))
                    .as(module)
                    .isEqualTo(found(EXPORTS, PROJECT.resolve(module).resolve("src/main/java/module-info.java")));
        }
        assertThat(packagesOf("engine-lsm"))
                .as("what it exports beside its root is for options alone")
                .containsExactly("kvant.lsm");
    }

    /// "What stays" in docs/embedding.md.
    @Test
    void theBuildLeavesOutNothingButWhatTheDocumentNames() throws IOException {
        assertThat(found(EXCLUDE, PROJECT.resolve("engine-lsm/pom.xml")))
                .containsExactlyInAnyOrder("kvant.lsm.LsmOptions#LsmOptions", "kvant.lsm.LsmParts");
        assertThat(found(EXCLUDE, PROJECT.resolve("engine/pom.xml"))).isEmpty();
        assertThat(found(EXCLUDE, PROJECT.resolve("client/pom.xml"))).isEmpty();
    }

    @Test
    void theSameClassesGiveTheSameBytes() throws Exception {
        baseline();
        Path folder = Files.createDirectory(tree.resolve("once-more"));
        Ran ran = baseline(folder.toString());
        assertThat(ran.exitCode()).as(ran.output()).isZero();

        for (String module : MODULES) {
            assertThat(folder.resolve(module + ".jar")).hasSameBinaryContentAs(written(module));
        }
    }

    /// Else the next option of the engine would be taken for a break.
    @Test
    void thePomHasToNameTheConstructorThatMayChange() throws Exception {
        Path pom = tree.resolve("engine-lsm/pom.xml");
        Files.writeString(pom, Files.readString(pom).replace("kvant.engine.Limits, ", ""));

        Ran ran = baseline();

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.output()).contains("LsmOptions#LsmOptions(kvant.engine.Durability,long,int,long,");
    }

    @Test
    void whatIsNotBuiltIsNamed() throws Exception {
        try (Stream<Path> files = Files.list(tree.resolve("engine/target/classes/kvant/engine/feed"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(tree.resolve("engine/target/classes/kvant/engine/feed"));

        Ran ran = baseline();

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.output()).contains("engine is not built: ./mvnw -q clean package");
    }
}
