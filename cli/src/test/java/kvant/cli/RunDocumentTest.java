package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands of docs/run.md do what it says, in their order, as a reader would type them: every
/// indented line that is a command is run, with `/var/lib` and `/mnt` in a folder of the test. A command that
/// serves a store begins the next part, and one that needs the store to itself ends the node before it, as
/// the text around it says.
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RunDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "run.md");

    @TempDir
    Path folder;

    private @Nullable ChildNode node;

    @AfterEach
    void stop() throws Exception {
        stopNode();
    }

    @Test
    void everyCommandIsRun() throws Exception {
        Files.createDirectories(folder.resolve("var/lib"));
        Files.createDirectories(folder.resolve("mnt/backups"));
        int served = 0;
        int ran = 0;
        for (DocumentCommands.Shown shown : DocumentCommands.in(DOCUMENT, Set.of("kvant", "mv"))) {
            if (!shown.indented()) {
                continue;
            }
            List<String> words = shown.words().stream().map(this::inFolder).toList();
            if (words.getFirst().equals("serve")) {
                serve(shown.line(), words);
                served++;
            } else {
                run(shown, words);
            }
            ran++;
        }
        assertThat(served).isGreaterThanOrEqualTo(3);
        assertThat(ran).isGreaterThanOrEqualTo(16);
    }

    /// The first node is given what all others have to hold.
    private void serve(String line, List<String> words) throws Exception {
        stopNode();
        int data = words.indexOf("--data");
        assertThat(data).as(line).isPositive();
        Path store = Path.of(words.get(data + 1));
        boolean first = Files.notExists(store);
        ChildNode started = ChildNode.serve(store, extra(words.subList(1, words.size())));
        node = started;
        for (int i = 0; first && i < 100; i++) {
            assertThat(send(started, "k" + i, "value " + i)).isEqualTo("201 ");
        }
        assertThat(send(started, "k77", "")).isEqualTo("200 value 77");
    }

    /// The options other than `--data` and `--port`.
    private static String[] extra(List<String> options) {
        List<String> extra = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).equals("--data") || options.get(i).equals("--port")) {
                i++;
            } else {
                extra.add(options.get(i));
            }
        }
        return extra.toArray(String[]::new);
    }

    private void run(DocumentCommands.Shown shown, List<String> words) throws Exception {
        boolean moves = shown.program().equals("mv");
        if (moves || words.getFirst().equals("check")) {
            stopNode();
        }
        if (moves) {
            Files.move(Path.of(words.get(0)), Path.of(words.get(1)));
            return;
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode =
                Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        assertThat(exitCode).as(shown.line() + ": " + out + err).isZero();
    }

    private String inFolder(String word) {
        return word.startsWith("/var/lib/") || word.startsWith("/mnt/") ? folder + word : word;
    }

    private void stopNode() throws Exception {
        ChildNode running = node;
        node = null;
        if (running != null) {
            try (running) {
                assertThat(running.stop()).isZero();
            }
        }
    }

    /// Puts a value, or gets it where that is empty.
    private static String send(ChildNode to, String key, String value) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(to.url() + "/v0/entity?id=" + key));
        if (!value.isEmpty()) {
            request.PUT(HttpRequest.BodyPublishers.ofString(value));
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
    }
}
