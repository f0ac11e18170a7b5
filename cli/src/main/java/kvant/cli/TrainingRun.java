package kvant.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Serves and asks itself in one JVM, so that the class cache has the classes of both (JEP 483): see `train.sh`. Prints
/// `trained` when it has asked, and ends as a node does.
public final class TrainingRun {

    private static final String READY = "listening on ";
    private static final List<List<String>> COMMANDS = List.of(
            List.of("put", "key", "value\n"),
            List.of("get", "key"),
            List.of("scan"),
            List.of("status"),
            List.of("delete", "key"));

    private TrainingRun() {}

    /// @param args the data directory to make
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(String line) {
                if (line.startsWith(READY)) {
                    Thread.ofPlatform().daemon().start(() -> ask(line.substring(READY.length())));
                }
            }
        };
        System.exit(execute(out, Stream.of("serve", "--port", "0", "--warm-up", "0", "--data", args[0])));
    }

    private static void ask(String url) {
        for (List<String> command : COMMANDS) {
            execute(new PrintWriter(Writer.nullWriter()), Stream.concat(command.stream(), Stream.of("--url", url)));
        }
        System.out.println("trained");
    }

    /// Without the environment, which may name another node.
    private static int execute(PrintWriter out, Stream<String> words) {
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        return Main.execute(Map.of(), out, err, words.toArray(String[]::new));
    }
}
