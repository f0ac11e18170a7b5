package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.server.admit.AdmissionOptions;
import kvant.text.python.PythonTools;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Libraries of seven languages with a node: the rows of the table in docs/resp.md. Each language has a program in
/// `src/test/resp-libraries`; its libraries are pinned there and kept in `.build`. Unavailable ones are skipped.
@Tag("full") // takes minutes, and registries
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RespLibrariesTest {

    private static final Path PROGRAMS =
            Path.of("src", "test", "resp-libraries").toAbsolutePath();
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final Path INSTALLED = TREE.resolve(".build").resolve("resp-libraries");

    @TempDir
    Path folder;

    private LocalEngine engine;
    private Node node;

    @BeforeEach
    void start() throws StartException {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.parse("none")); // no sync for each reply
        engine = LsmEngine.open(folder.resolve("data"), options);
        node = Node.start(
                NodeOptions.defaults().with(o -> {
                    o.port = 0;
                    o.respPort = 0;
                    o.admission = AdmissionOptions.none();
                }),
                engine);
    }

    @AfterEach
    void stop() {
        node.close();
        engine.close();
    }

    @Test
    void librariesOfPython() throws Exception {
        Path python = PROGRAMS.resolve("python");
        PythonTools tools = PythonTools.install("resp-libraries", python.resolve("requirements.txt"), "celery");
        PythonTools.Ran ran = tools.run(
                5,
                Map.of(),
                List.of(
                        tools.program("python").toString(),
                        python.resolve("libraries.py").toString(),
                        port()));
        theTableHas("Python", ran.output());
    }

    @Test
    void librariesOfNodeJs() throws Exception {
        Path node = Tool.NODE.need();
        Path installed = copied("node", "package.json", "package-lock.json");
        if (!Files.exists(installed.resolve("node_modules/.package-lock.json"))) {
            String said =
                    run(installed, 4, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
            if (!Files.exists(installed.resolve("node_modules/.package-lock.json"))) {
                Tool.leaveOut("the libraries of Node.js cannot be installed: " + said, "npm");
            }
        }
        theTableHas(
                "Node.js",
                run(
                        installed,
                        5,
                        node.toString(),
                        PROGRAMS.resolve("node/libraries.mjs").toString(),
                        port()));
    }

    @Test
    void librariesOfGo() throws Exception {
        Path go = Tool.of("go").need();
        Path installed = copied("go", "go.mod", "go.sum", "main.go");
        String said = run(installed, 8, go.toString(), "build", "-o", "libraries", ".");
        if (!Files.exists(installed.resolve("libraries"))) {
            Tool.leaveOut("the libraries of Go cannot be installed: " + said, "the proxy of Go");
        }
        theTableHas("Go", run(installed, 3, installed.resolve("libraries").toString(), port()));
    }

    @Test
    void librariesOfJava() throws Exception {
        Path installed = copied("java", "pom.xml");
        Path jars = installed.resolve("classpath");
        String said = run(
                installed,
                5,
                TREE.resolve("mvnw").toString(),
                "-q",
                "-B",
                "-ntp",
                "-f",
                installed.resolve("pom.xml").toString(),
                "dependency:build-classpath",
                "-Dmdep.outputFile=" + jars);
        if (!Files.exists(jars)) {
            Tool.leaveOut("the libraries of Java cannot be installed: " + said, "Maven");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        theTableHas(
                "Java",
                run(
                        installed,
                        5,
                        java,
                        "-cp",
                        Files.readString(jars).strip(),
                        PROGRAMS.resolve("java/Libraries.java").toString(),
                        port()));
    }

    @Test
    void librariesOfRust() throws Exception {
        Path installed = copied("rust", "Cargo.toml", "main.rs");
        String said = run(installed, 10, "cargo", "build", "--quiet");
        Path built = installed.resolve("target/debug/libraries");
        if (!Files.exists(built)) {
            Tool.leaveOut("the libraries of Rust cannot be installed: " + said, "cargo and its registry");
        }
        theTableHas("Rust", run(installed, 2, built.toString(), port()));
    }

    @Test
    void librariesOfPhp() throws Exception {
        librariesOfTheDistribution("PHP", "php", "php/libraries.php", "php-cli and php-redis");
    }

    @Test
    void librariesOfRuby() throws Exception {
        librariesOfTheDistribution("Ruby", "ruby", "ruby/libraries.rb", "ruby-sidekiq");
    }

    private void librariesOfTheDistribution(String language, String runs, String program, String packages)
            throws Exception {
        String said = run(PROGRAMS, 3, runs, PROGRAMS.resolve(program).toString(), port());
        if (rows(language, said).isEmpty()) {
            Tool.leaveOut("the libraries of " + language + " are not there: " + said, packages);
        }
        theTableHas(language, said);
    }

    private static List<String> rows(String language, String output) {
        return output.lines()
                .filter(line -> line.matches("[^|]+ \\| [^|]+ \\| (runs|fails: .+)"))
                .map(line -> "| " + language + " | " + line + " |")
                .toList();
    }

    /// The rows of a language are those that its program prints.
    private static void theTableHas(String language, String output) throws Exception {
        List<String> rows = rows(language, output);
        assertThat(rows).as(output).isNotEmpty();
        try (Stream<String> lines = Files.lines(TREE.resolve("docs/resp.md"))) {
            assertThat(lines.filter(line -> line.startsWith("| " + language + " | "))
                            .toList())
                    .as("rows of docs/resp.md; what was printed:\n" + String.join("\n", rows) + "\n")
                    .containsExactlyElementsOf(rows);
        }
    }

    private String port() {
        return Integer.toString(node.respPort());
    }

    /// A folder of `.build` with these files.
    private static Path copied(String language, String... files) throws Exception {
        Path installed = Files.createDirectories(INSTALLED.resolve(language));
        for (String file : files) {
            Files.copy(
                    PROGRAMS.resolve(language).resolve(file),
                    installed.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return installed;
    }

    private String run(Path in, long minutes, String... command) throws Exception {
        File said = Files.createTempFile(folder, "said", ".txt").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectOutput(said)
                .redirectError(Files.createTempFile(folder, "errors", ".txt").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) { // such as no npm
            return String.valueOf(e.getMessage());
        }
        try {
            process.waitFor(minutes, TimeUnit.MINUTES);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(said.toPath(), StandardCharsets.UTF_8);
    }
}
