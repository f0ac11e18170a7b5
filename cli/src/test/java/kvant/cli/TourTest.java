package kvant.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.cli.control.NodeLogin;
import kvant.cli.node.KeyCommands;
import kvant.client.KvantException;
import kvant.text.command.CommandRunner;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// The terminal in the README, docs/img/tour.svg, shows what its commands print today. Numbers, units, the commit and
/// the transport differ between machines and are not compared. If this fails on purpose, docs/img/tour draws it again.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TourTest {

    private static final Path SCRIPT = Path.of("..", "docs", "img", "tour");
    private static final Path PICTURE = Path.of("..", "docs", "img", "tour.svg");
    private static final String PROMPT = "$ ";

    private static final Pattern SCRIPT_COMMAND = Pattern.compile("(?m)^    '(.* ?kvant .*)',$");
    private static final Pattern PICTURE_LINE = Pattern.compile("<text [^>]*>(.*)</text>");

    /// Directories of the tour, which are below the folder of the test.
    private static final Set<String> DIRECTORIES = Set.of("data", "backups", "restored");

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void itsPictureShowsWhatItsCommandsPrint() throws Exception {
        List<String> printed = new ArrayList<>();
        List<String> node = new ArrayList<>();
        try (ChildNode started = serve()) {
            await().until(() -> kvant(started, "", List.of("status")) == 0); // it has warmed up
            for (String command : found(SCRIPT_COMMAND, SCRIPT)) {
                printed.add(PROMPT + command);
                printed.addAll(typed(started, command));
            }
            ProcessHandle.of(started.pid())
                    .orElseThrow()
                    .descendants()
                    .forEach(ProcessHandle::destroy); // the terminal ends with the node
            assertThat(started.awaitExit()).isZero();
            node.addAll(List.of(PROMPT + "kvant serve", "listening on " + started.url()));
            started.restOfStdout().stream()
                    .filter(line -> !line.matches(".* INFO +audit .*"))
                    .forEach(node::add); // the audit log is on the same terminal
        }
        printed.addAll(0, node.subList(0, node.size() - 1));
        printed.addAll(List.of("^C", node.getLast()));

        assertThat(printed.stream().map(this::comparable))
                .containsExactlyElementsOf(found(PICTURE_LINE, PICTURE).stream()
                        .map(this::comparable)
                        .toList());
    }

    /// A node at a terminal, to which it prints more than to a pipe. `exec`, because a shell that waited for the node
    /// would be ended with it, and its exit code, 143, would hide the node's.
    private ChildNode serve() throws IOException, InterruptedException {
        String data = folder.resolve("data").toString();
        ChildNode started = ChildNode.run(
                List.of("sh", "-c", "TERM=xterm exec " + Tool.SCRIPT.need() + " -qefc \"exec $*\" /dev/null", "sh"),
                List.of("-Xmx256m"),
                List.of("serve", "--port", "0", "--warm-up", "1", "--data", data));
        started.awaitReady();
        return started;
    }

    /// The lines that a command of the tour prints, which may get its input from `echo -n`.
    private List<String> typed(ChildNode node, String command) throws IOException {
        Path document = Files.writeString(folder.resolve("command.md"), "    " + command);
        String input = "";
        for (DocumentCommands.Shown shown : DocumentCommands.in(document, Set.of("echo", "kvant"))) {
            if (shown.program().equals("echo")) {
                input = shown.words().getLast();
            } else {
                assertThat(kvant(node, input, shown.words()))
                        .as(command + ": " + err)
                        .isZero();
            }
        }
        return out.toString().lines().toList();
    }

    private int kvant(ChildNode node, String input, List<String> words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        PrintWriter text = new PrintWriter(out, true);
        String[] line = words.stream()
                .map(word -> DIRECTORIES.contains(word) ? folder.resolve(word).toString() : word)
                .toArray(String[]::new);
        if (!KeyCommands.NAMES.contains(words.getFirst())) {
            return Main.execute(text, new PrintWriter(err, true), line);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        CommandLine root =
                new CommandLine(CommandSpec.create().name("kvant"), NodeLogin.factory(Map.of("KVANT_URL", node.url())));
        KeyCommands.all(new ByteArrayInputStream(input.getBytes(UTF_8)), value).forEach(root::addSubcommand);
        int code = new CommandRunner(root, List.of(KvantException.class)).run(text, new PrintWriter(err, true), line);
        text.print(value.toString(UTF_8));
        return code;
    }

    private String comparable(String line) {
        return Stream.of(folder + "/", "~/demo/")
                .reduce(line, (text, place) -> text.replace(place, ""))
                .replaceAll("http://[\\w.:]+", "URL")
                .replaceAll(" \\([0-9a-f]{12}\\)$", "")
                .replaceAll("^(transport +).*", "$1")
                .replaceAll("\\b\\d[\\w.]*( [KMGT]?i?B| m?s)?\\b", "N")
                .replaceAll("(requests in N), then an answer came late.*", "$1") // on a busy machine
                .replaceAll("^stopped: .*, data", "stopped: N, data") // one may still be open
                .replaceAll("\\s+", " ");
    }
}
