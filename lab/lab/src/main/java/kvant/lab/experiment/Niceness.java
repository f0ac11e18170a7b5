package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.List;

/// How much the servers give way to the generator, where both want a processor.
///
/// A number is as of `nice(1)`: a smaller part of the processors for whoever gets a larger one. A process that wakes up
/// may still wait until the slice of another ends, a millisecond or so (`sched(7)`). The policy `SCHED_IDLE` has no
/// slice against others: they run at once.
///
/// @param level 0 for a server like any other process, 1 to 19, or that of [#IDLE]
public record Niceness(int level) {

    public static final Niceness NONE = new Niceness(0);

    /// `SCHED_IDLE`, by `chrt(1)`.
    public static final Niceness IDLE = new Niceness(20);

    private static final String IDLE_TEXT = "idle";

    /// @throws IllegalArgumentException in words
    static Niceness parse(String text) {
        if (text.equals(IDLE_TEXT)) {
            return IDLE;
        }
        if (!text.matches("1?\\d")) {
            throw new IllegalArgumentException("'" + text + "' is neither a number from 0 to 19 nor 'idle'");
        }
        return new Niceness(Integer.parseInt(text));
    }

    public boolean isNone() {
        return level == 0;
    }

    /// As in a file of an experiment.
    public String text() {
        return equals(IDLE) ? IDLE_TEXT : Integer.toString(level);
    }

    /// The words of a command that is started so.
    public List<String> of(List<String> command) {
        List<String> words = new ArrayList<>();
        if (equals(IDLE)) {
            words.addAll(List.of("chrt", "-i", "0"));
        } else if (!isNone()) {
            words.addAll(List.of("nice", "-n", text()));
        }
        words.addAll(command);
        return words;
    }
}
