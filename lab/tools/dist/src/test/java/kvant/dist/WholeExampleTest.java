package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The project of docs/embedding.md: built by the commands that the page shows, of the artifacts that modules leave,
/// and run on the module path and on the class path. Needs no network: the plugins of Maven are those of this build.
@Tag("full") // two minutes: a Maven of its own
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class WholeExampleTest {

    private static final Path ROOT = SmallPackages.root();
    private static final String VERSION = SmallPackages.version();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path LOAD = ROOT.resolve("lab/load/target/dist/lib");
    private static final String SOURCE = "examples/embed/src/main/java/example/embed/Visitors.java";

    private static final Pattern COMMANDS = Pattern.compile("(?m)^( {4}cd examples/embed\n(?: {4}.*\n)+)");
    private static final Pattern PRINTS = Pattern.compile("prints:\n\n((?: {4}.*\n)+)");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\n(.*?)^```$");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)// example: from here\n(.*?) {4}// example: to here\n");

    /// As a reader has it: with the project, without what was built.
    @TempDir
    static Path tree = Path.of("");

    private static Ran built = new Ran(-1, "", "");

    private record Ran(int exitCode, String output, String errors) {}

    @BeforeAll
    static void buildAndRun() throws Exception {
        for (String part : List.of("mvnw", ".mvn", "examples/embed/pom.xml", "examples/embed/src")) {
            copy(part);
        }
        install("kvant", Path.of(""), false);
        install("kvant-engine", Path.of("engine"), true);
        install("kvant-engine-lsm", Path.of("engine-lsm"), true);
        built = run(tree, "sh", "-euc", found(COMMANDS));
        if (built.exitCode() != 0 && run(tree, "./mvnw", "--version").exitCode() != 0) {
            Tool.leaveOut("the Maven of the wrapper is not there", "the network");
        }
    }

    private static void copy(String part) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = tree.resolve(ROOT.relativize(file).toString());
                Files.createDirectories(to.resolveSibling(""));
                Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static Path repository() {
        return tree.resolve("repository");
    }

    /// Installs the files of a module into a repository as `mvn install` does.
    private static void install(String artifact, Path module, boolean jar) throws IOException {
        Path folder = Files.createDirectories(
                repository().resolve("kvant").resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION;
        Files.copy(ROOT.resolve(module).resolve("pom.xml"), folder.resolve(name + ".pom"));
        if (jar) {
            Files.copy(ROOT.resolve(module).resolve("target").resolve(name + ".jar"), folder.resolve(name + ".jar"));
        }
    }

    /// Maven takes the artifacts of this build from a repository of the test, and everything else from the one that
    /// the build has filled.
    private static Ran run(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(tree, "output", ".txt");
        Path errors = Files.createTempFile(tree, "errors", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        String filled = System.getProperty(
                "localRepository",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", JAVA.getParent() + File.pathSeparator + System.getenv("PATH"));
        builder.environment()
                .put(
                        "MAVEN_ARGS",
                        "--offline --batch-mode -Dmaven.repo.local=" + repository() + " -Dmaven.repo.local.tail="
                                + filled);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ran(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    private static String document() throws IOException {
        return Files.readString(ROOT.resolve("docs/embedding.md"));
    }

    /// The one part of the page that is this.
    private static String found(Pattern pattern) throws IOException {
        List<String> parts = pattern.matcher(document())
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(parts).as(pattern.pattern()).hasSize(1);
        return parts.getFirst();
    }

    private static String withoutIndent(String text) {
        return text.lines()
                .map(line -> line.isEmpty() ? "" : line.substring("    ".length()))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void theCommandsOfThePageBuildItAndRunItOnBothPaths() throws IOException {
        assertThat(built.exitCode()).as(built.output() + built.errors()).isZero();
        String once = withoutIndent(found(PRINTS));
        assertThat(built.output()).isEqualTo(once + "\n" + once + "\n");
        assertThat(built.errors()).as("access to native code is allowed").doesNotContain("kvant.lsm");
    }

    @Test
    void thePageShowsTheProgramAsItIs() throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(ROOT.resolve(SOURCE)));
        assertThat(example.find()).isTrue();
        assertThat(found(PROGRAM).strip())
                .isEqualTo(withoutIndent(example.group(1)).strip());
    }

    /// Java makes the name of one that has none of the name of its file, which may change.
    @Test
    void eachArtifactIsAModuleOrHasTheNameOfOne() throws Exception {
        Path modules = tree.resolve("examples/embed/target/modules");
        assertThat(names(modules, false)).contains("example.embed", "kvant.engine", "kvant.lsm");
        assertThat(names(modules, true)).containsExactly("org.lz4.java");
        assertThat(nameInManifest(modules, "lz4-java")).isEqualTo("org.lz4.java");
        assertValid(modules);
    }

    @Test
    void theLoadGeneratorRunsOnTheModulePath() throws Exception {
        assertThat(names(LOAD, true)).containsExactly("HdrHistogram", "kvant.load", "kvant.text");
        assertThat(nameInManifest(LOAD, "kvant-load")).isEqualTo("kvant.load");
        assertThat(nameInManifest(LOAD, "kvant-text")).isEqualTo("kvant.text");
        assertValid(LOAD);
        String modules = "--add-modules=ALL-MODULE-PATH"; // an automatic module does not say which it needs
        String program = "kvant.load/kvant.load.command.Main";
        Ran ran = run(tree, JAVA.toString(), "-p", LOAD.toString(), modules, "-m", program, "--help");
        assertThat(ran.exitCode()).as(ran.errors()).isZero();
        assertThat(ran.output()).contains("--find-rate");
    }

    /// No package is in two of them.
    private static void assertValid(Path modules) throws Exception {
        Ran ran = run(tree, JAVA.toString(), "-p", modules.toString(), "--validate-modules");
        assertThat(ran.exitCode()).as(ran.output() + ran.errors()).isZero();
    }

    /// @param automatic those without a description of their own, or those with one
    private static List<String> names(Path folder, boolean automatic) {
        return ModuleFinder.of(folder).findAll().stream()
                .map(ModuleReference::descriptor)
                .filter(module -> module.isAutomatic() == automatic)
                .map(ModuleDescriptor::name)
                .sorted()
                .toList();
    }

    private static String nameInManifest(Path folder, String artifact) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path jar = files.filter(file -> file.getFileName().toString().matches(artifact + "-\\d.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
            try (JarFile opened = new JarFile(jar.toFile())) {
                return String.valueOf(opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
            }
        }
    }
}
