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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands of docs/operations.md do what it says, in their order, as a reader would type them: every
/// indented line that is a command is run, with `/var/lib` and `/mnt` in a folder of the test. A command that
/// serves a store begins the next part, and one that needs the store to itself ends the node before it, as
/// the text around it says.
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class OperationsDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "operations.md");
    private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}((?:\\./kvant|mv) .*)$");
    private static final Pattern DATA = Pattern.compile("--data (\\S+)");

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
        Matcher commands = COMMAND.matcher(Files.readString(DOCUMENT));
        while (commands.find()) {
            String line = commands.group(1).replaceAll("(?<= )/(var/lib|mnt)/", folder + "/$1/");
            if (line.startsWith("./kvant serve ")) {
                serve(line);
                served++;
            } else {
                run(line);
            }
            ran++;
        }
        assertThat(served).isGreaterThanOrEqualTo(3);
        assertThat(ran).isGreaterThanOrEqualTo(16);
    }

    /// The first node is given what all others have to hold.
    private void serve(String line) throws Exception {
        stopNode();
        Matcher data = DATA.matcher(line);
        assertThat(data.find()).as(line).isTrue();
        boolean first = Files.notExists(Path.of(data.group(1)));
        List<String> options = List.of(line.split(" "));
        ChildNode started = ChildNode.serve(Path.of(data.group(1)), extra(options.subList(2, options.size())));
        node = started;
        for (int i = 0; first && i < 100; i++) {
            assertThat(send(started, "k" + i, "value " + i)).isEqualTo("201 ");
        }
        assertThat(send(started, "k77", "")).isEqualTo("200 value 77");
    }

    /// What is given besides `--data` and `--port`.
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

    private void run(String line) throws Exception {
        if (line.startsWith("mv ") || line.startsWith("./kvant check ")) {
            stopNode();
        }
        List<String> words = List.of(line.split(" "));
        if (words.getFirst().equals("mv")) {
            Files.move(Path.of(words.get(1)), Path.of(words.get(2)));
            return;
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] command = words.subList(1, words.size()).toArray(String[]::new);
        int exitCode = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), command);
        assertThat(exitCode).as(line + ": " + out + err).isZero();
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
