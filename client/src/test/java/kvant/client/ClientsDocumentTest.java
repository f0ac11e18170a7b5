package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.text.python.PythonTools;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The examples in docs/clients.md run unchanged, each against a node of its own, and print the documented output.
/// Node.js and Go are needed for theirs alone; without them these say so and are skipped.
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ClientsDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "clients.md");
    private static final String ADDRESS = "http://127.0.0.1:8080";
    private static final Pattern PRINTS = Pattern.compile("It prints:\n\n((?: {4}.*\n)+)");

    @TempDir
    Path folder;

    private static String document() throws IOException {
        return Files.readString(DOCUMENT);
    }

    /// The one example in a language.
    private static String example(String language) throws IOException {
        List<String> examples = Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(document())
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(examples).hasSize(1);
        return examples.getFirst();
    }

    /// The output that a section states for its example, or that of the section before where it is the same.
    private static List<String> printed(String section) throws IOException {
        String text = document();
        int from = text.indexOf("\n## " + section + "\n");
        int to = text.indexOf("\n## ", from + 1);
        String here = text.substring(from, to < 0 ? text.length() : to);
        Matcher prints = PRINTS.matcher(here);
        if (!prints.find()) {
            assertThat(here).contains("It prints the same.");
            String before = text.substring(0, from);
            prints = PRINTS.matcher(before.substring(before.lastIndexOf("\n## ")));
            assertThat(prints.find()).isTrue();
        }
        return prints.group(1).lines().map(String::strip).toList();
    }

    private void runs(String section, String language, String file, Map<String, String> environment, String... command)
            throws Exception {
        String source = example(language);
        assertThat(source).contains(ADDRESS);
        try (TestNode node = TestNode.start(folder)) {
            Files.writeString(
                    folder.resolve(file), source.replace(ADDRESS, node.url().toString()));
            File output = folder.resolve("output").toFile();
            ProcessBuilder builder = new ProcessBuilder(
                            Stream.concat(Stream.of(command), Stream.of(file)).toList())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output);
            builder.environment().putAll(environment);
            for (int time = 0; time < 2; time++) { // a program that leaves its keys fails the second time
                Process process = builder.start();
                boolean ended = process.waitFor(7, TimeUnit.MINUTES);
                process.destroyForcibly().waitFor();
                String printed = Files.readString(output.toPath());
                assertThat(ended && process.exitValue() == 0).as(printed).isTrue();
                assertThat(printed.lines()).isEqualTo(printed(section));
            }
        }
    }

    /// @param command by which it tells that it is new enough
    private static void needs(Tool tool, String... command) throws IOException, InterruptedException {
        tool.need();
        int code = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (code != 0) {
            Tool.leaveOut(tool.program() + " is too old or does not run", tool.packageName());
        }
    }

    /// The text between two marks of the class that is compiled with these tests.
    private static String compiled(String mark) throws IOException {
        String source = Files.readString(Path.of("src/test/java/kvant/client/ClientExample.java"));
        String from = "// " + mark + ": from here\n";
        return source.substring(source.indexOf(from) + from.length(), source.indexOf("// " + mark + ": to here"))
                .stripIndent()
                .strip();
    }

    @Test
    void java() throws Exception {
        assertThat(example("java").strip()).isEqualTo(compiled("example"));

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TestNode node = TestNode.start(folder)) {
            ClientExample.run(node.url(), new PrintStream(out, true, UTF_8));
        }
        assertThat(out.toString(UTF_8).lines()).isEqualTo(printed("Java"));
    }

    @Test
    void aTokenAndTlsInJava() throws IOException {
        String compiled = compiled("options");
        assertThat(compiled).contains("BearerToken.file", "Trust.only");

        assertThat(document()).contains("\n\n" + compiled.indent(4) + "\n");
        assertThat(Files.readString(Path.of("src/main/java/kvant/client/ClientOptions.java")))
                .contains(compiled.indent(5).replaceAll("(?m)^(?=.)", "///"));
    }

    @Test
    void python() throws Exception {
        PythonTools.plain("python-client", 3, 9);
        String sources =
                Path.of("..", "clients", "python", "src").toAbsolutePath().toString();
        runs(
                "Python",
                "python",
                "example.py",
                Map.of("PYTHONPATH", sources, "PYTHONDONTWRITEBYTECODE", "1"),
                "python3");
    }

    @Test
    void curl() throws Exception {
        runs("curl", "sh", "example.sh", Map.of(), "sh", "-eu");
    }

    @Test
    void javaScript() throws Exception {
        needs(Tool.NODE, "node", "-e", "process.exit(Number(process.versions.node.split('.')[0]) < 18 ? 1 : 0)");
        runs("JavaScript", "js", "example.mjs", Map.of(), "node");
    }

    @Test
    void go() throws Exception {
        needs(Tool.GO, "go", "version");
        runs("Go", "go", "example.go", Map.of("GOTOOLCHAIN", "local", "GOPROXY", "off"), "go", "run");
    }
}
