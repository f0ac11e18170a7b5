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

    private static String hint(CommandLine root, List<String> path) {
        StringWriter err = new StringWriter();
        List<String> line =
                Stream.concat(path.stream(), Stream.of("--no-such-option")).toList();
        int code = new CommandRunner(root, List.of())
                .run(new PrintWriter(new StringWriter()), new PrintWriter(err), line.toArray(String[]::new));
        assertThat(code).as(err.toString()).isEqualTo(2);
        Matcher see = SEE.matcher(err.toString());
        assertThat(see.find()).as(err.toString()).isTrue();
        return see.group(1);
    }

    @Test
    void whatAWrongOptionPointsAtIsThere() {
        assertThat(commands()).contains(List.of("serve"), List.of("lab", "run"), List.of("profile", "diff"));
        for (List<String> path : commands()) {
            String hint = hint(Main.commandLine(), path);
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
        List<String> named = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            for (Path file : files.filter(HintsTest::isMain).toList()) {
                Matcher found = NAMED.matcher(Files.readString(file));
                while (found.find()) {
                    named.add(found.group(1));
                    assertThat(wrong(found.group(1)))
                            .as("'kvant %s' in %s", found.group(1), file)
                            .isEmpty();
                }
            }
        }
        assertThat(named).hasSizeGreaterThan(20).contains("lab list", "mirror switch", "load --json");
        assertThat(wrong("help run")).isEqualTo("run");
        assertThat(wrong("lab start --quick")).isEqualTo("start");
        assertThat(wrong("load --jason FILE")).isEqualTo("--jason");
    }

    private static boolean isMain(Path file) {
        String path = file.toString();
        boolean copied = path.contains("/.build/") || path.contains("/target/"); // trees of other commits
        return !copied && path.contains("/src/main/") && (path.endsWith(".java") || path.endsWith(".properties"));
    }

    /// The first word that is no command and no option, or nothing.
    private static String wrong(String line) {
        CommandLine root = Main.commandLine();
        CommandLine command = root;
        boolean options = false;
        for (String word : line.strip().split("\\s+")) {
            options |= word.startsWith("-"); // what follows may be the value of one
            boolean named = !options && word.matches("[a-z][a-z-]*");
            boolean wanted = named && !command.getSubcommands().isEmpty();
            boolean helped = named && command.getCommand() instanceof HelpCommand;
            if (command.getCommand() instanceof SourceTreeCommand || word.equals("--")) {
                return ""; // the launcher knows its words, and what comes behind dashes is another program's
            }
            CommandLine next = (helped ? root : command).getSubcommands().get(word);
            if (next != null) {
                command = next;
            } else if (wanted && command.getCommandSpec().positionalParameters().isEmpty() || helped) {
                return word;
            } else if (word.startsWith("--")
                    && !command.getCommandSpec().optionsMap().containsKey(word)) {
                return word;
            }
        }
        return "";
    }
}
