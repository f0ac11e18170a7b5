package kvant.text.child;

import java.io.IOException;
import java.util.List;
import kvant.text.tool.Tool;

/// Starts a child with default signals, for a test that sends it some. A shell that runs tests in the background,
/// `nohup` and some CI ignore signals, and so would all children.
public final class DefaultSignals {

    private static final List<String> WORDS = List.of("env", "--default-signal=INT,TERM,HUP,QUIT");

    private DefaultSignals() {}

    /// The words before a program that give it default signals; leaves the test out where they are not supported.
    public static List<String> words() throws IOException, InterruptedException {
        Process trial = new ProcessBuilder(WORDS.getFirst(), WORDS.getLast(), "true")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (trial.waitFor() != 0) {
            Tool.leaveOut("env does not know --default-signal", "coreutils from 8.31 on");
        }
        return WORDS;
    }
}
