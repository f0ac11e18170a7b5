package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.text.command.OptionTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// Commands that documents show can be typed: the command line has each of them, with its options and their values.
/// Those that end by themselves, and need a node at most, are run. RunDocumentTest runs a document as a whole.
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DocumentedCommandsTest {

    private static final Path TREE = Path.of("../..");

    /// To describe all commands takes a while.
    private static final CommandLine ROOT = OptionTypes.register(Main.commandLine());

    /// The commands that are run. All others serve, measure, build, or need things that a reader has and a test has
    /// not: files of their own, a cluster, a bucket.
    private static final Pattern RUN =
            Pattern.compile("(help|config print|inspect|slow|backup create|token new|lab list|lab show)( .*)?");

    /// Documents of which commands are run; those of the others are of the same kinds, and would be run again.
    private static final Set<String> RUN_OF =
            Set.of("README.md", "README.ru.md", "packages.md", "security.md", "experiments.md", "peers.md");

    @TempDir
    Path folder;

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path from : List.of(TREE, TREE.resolve("docs"), TREE.resolve("docs/dev"))) {
            try (Stream<Path> files = Files.list(from)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
            }
        }
        return documents;
    }

    /// Why a command line cannot be typed, or nothing.
    private static String wrong(List<String> words) {
        String unknown = DocumentCommands.unknownWord(ROOT, String.join(" ", words));
        CommandLine command = ROOT.getSubcommands().get(words.getFirst());
        if (!unknown.isEmpty() || command == null) {
            return "there is no " + (unknown.isEmpty() ? words.getFirst() : unknown);
        }
        if (command.getCommand() instanceof SourceTreeCommand) {
            return ""; // the launcher reads what follows
        }
        try {
            ROOT.parseArgs(words.toArray(String[]::new));
            return "";
        } catch (ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void eachCommandCanBeTyped() throws IOException {
        List<String> wrong = new ArrayList<>();
        int typed = 0;
        for (Path document : documents()) {
            for (DocumentCommands.Shown shown : DocumentCommands.in(document, Set.of("kvant"))) {
                String why = wrong(shown.words());
                if (!why.isEmpty()) {
                    wrong.add(shown.place() + ": " + shown.line() + ": " + why);
                }
                typed++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(typed).isGreaterThan(80);
        assertThat(wrong(List.of("load", "--jason", "FILE", "URL"))).isEqualTo("there is no --jason");
        assertThat(wrong(List.of("help", "run"))).isEqualTo("there is no run");
        assertThat(wrong(List.of("serve", "--durability", "perhaps"))).contains("'perhaps' is not");
        assertThat(wrong(List.of("backup", "create", "--data", "data"))).contains("--target");
    }

    @Test
    void whatTheTextNamesIsThere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int named = 0;
        for (Path document : documents()) {
            if (document.endsWith("CHANGELOG.md")) {
                continue; // it tells of what has gone, too
            }
            for (String line : DocumentCommands.inText(document)) {
                String unknown = DocumentCommands.unknownWord(ROOT, line);
                if (!unknown.isEmpty()) {
                    wrong.add(document + ": kvant " + line + ": " + unknown);
                }
                named++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(named).isGreaterThan(80);
    }

    @Test
    void whatEndsByItselfIsRun() throws Exception {
        int ran = 0;
        try (ChildNode node = ChildNode.serve(folder.resolve("data"))) {
            for (Path document : documents()) {
                String name = String.valueOf(document.getFileName());
                if (RUN_OF.contains(name)) {
                    ran += run(document, folder.resolve(name));
                }
            }
            assertThat(node.stop()).isZero();
        }
        assertThat(ran).isGreaterThanOrEqualTo(16);
    }

    /// @param own for files of this document
    private int run(Path document, Path own) throws IOException {
        int ran = 0;
        for (DocumentCommands.Shown shown : DocumentCommands.in(document, Set.of("kvant"))) {
            if (shown.indented() && RUN.matcher(String.join(" ", shown.words())).matches()) {
                StringWriter out = new StringWriter();
                StringWriter err = new StringWriter();
                String[] words = inFolder(shown.words(), own).toArray(String[]::new);
                int exitCode = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), words);
                assertThat(exitCode)
                        .as(shown.place() + ": " + shown.line() + ": " + out + err)
                        .isZero();
                assertThat(out.toString()).as(shown.place()).isNotBlank();
                ran++;
            }
        }
        return ran;
    }

    /// The store is that of the node, and other files are below a folder.
    private List<String> inFolder(List<String> words, Path own) throws IOException {
        List<String> changed = new ArrayList<>(words);
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i - 1)) {
                case "--data" -> changed.set(i, folder.resolve("data").toString());
                case "--target", "--tokens" -> {
                    Path file = own.resolve(words.get(i).replaceFirst("^/", ""));
                    Files.createDirectories(file.resolveSibling(""));
                    changed.set(i, file.toString());
                }
                default -> {}
            }
        }
        return changed;
    }
}
