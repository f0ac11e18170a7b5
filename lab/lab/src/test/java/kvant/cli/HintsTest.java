package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.text.command.CommandRunner;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/// A command that a message names is one that can be typed.
class HintsTest {

    private static final Pattern SEE = Pattern.compile("\\(see '([^']+)'\\)");

    /// In quotation marks within a message, or a line of examples below a help.
    private static final Pattern NAMED = Pattern.compile("(?:'|\"  )kvant ([a-z][^'\"]*)");

    private static List<List<String>> commands() {
        List<List<String>> paths = new ArrayList<>();
        collect(Main.commandLine(), List.of(), paths);
        return paths;
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> into) {
        command.getSubcommands().forEach((name, sub) -> {
            if (!(sub.getCommand() instanceof HelpCommand)) {
                List<String> own = Stream.concat(path.stream(), Stream.of(name)).toList();
                into.add(own);
                collect(sub, own, into);
            }
        });
    }

    private static String hint(CommandRunner root, List<String> path) {
        StringWriter err = new StringWriter();
        List<String> line =
                Stream.concat(path.stream(), Stream.of("--no-such-option")).toList();
        int code = root.run(new PrintWriter(new StringWriter()), new PrintWriter(err), line.toArray(String[]::new));
        assertThat(code).as(err.toString()).isEqualTo(2);
        Matcher see = SEE.matcher(err.toString());
        assertThat(see.find()).as(err.toString()).isTrue();
        return see.group(1);
    }

    @Test
    void whatAWrongOptionPointsAtIsThere() {
        CommandRunner root = new CommandRunner(Main.commandLine(), List.of());
        assertThat(commands()).contains(List.of("serve"), List.of("lab", "run"), List.of("profile", "diff"));
        for (List<String> path : commands()) {
            String hint = hint(root, path);
            StringWriter out = new StringWriter();
            String[] line = hint.replaceFirst("^kvant ", "").split(" ");

            assertThat(Main.execute(new PrintWriter(out), new PrintWriter(new StringWriter()), line))
                    .as("'%s', after a wrong option of %s", hint, path)
                    .isZero();
            assertThat(out.toString()).as(hint).contains("Usage: kvant " + String.join(" ", path));
        }
    }

    @Test
    void whatMessagesNameIsThere() throws IOException {
        CommandLine root = Main.commandLine();
        List<String> named = new ArrayList<>();
        for (Path file : sources()) {
            Matcher found = NAMED.matcher(Files.readString(file));
            while (found.find()) {
                named.add(found.group(1));
                assertThat(DocumentCommands.unknownWord(root, found.group(1)))
                        .as("'kvant %s' in %s", found.group(1), file)
                        .isEmpty();
            }
        }
        assertThat(named).hasSizeGreaterThan(20).contains("lab list", "mirror switch", "load --json");
        assertThat(DocumentCommands.unknownWord(root, "help run")).isEqualTo("run");
        assertThat(DocumentCommands.unknownWord(root, "lab start --quick")).isEqualTo("start");
        assertThat(DocumentCommands.unknownWord(root, "load --jason FILE")).isEqualTo("--jason");
    }

    /// Of all modules; trees of other commits may lie elsewhere.
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> poms = Files.find(Path.of("../.."), 4, (file, _) -> file.endsWith("pom.xml"))) {
            for (Path module : poms.map(each -> each.resolveSibling("src/main"))
                    .filter(each -> Files.isDirectory(each) && !each.toString().contains("/target/"))
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")
                                    || file.toString().endsWith(".properties"))
                            .forEach(sources::add);
                }
            }
        }
        return sources;
    }
}
