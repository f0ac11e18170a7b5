package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.List;

/// The priority of the servers below the generator, when both want a processor.
///
/// A number is a nice value as in `nice(1)`: the higher it is, the smaller the share of the processors. A process that
/// wakes up may still wait for the end of another's time slice, about a millisecond (`sched(7)`). With the policy
/// `SCHED_IDLE` a server has no time slice against other processes: they run immediately.
///
/// @param level 0 for ordinary priority, 1 to 19, or that of [#IDLE]
public record Niceness(int level) {

    public static final Niceness NONE = new Niceness(0);

    /// `SCHED_IDLE`, by `chrt(1)`.
    public static final Niceness IDLE = new Niceness(20);

    private static final String IDLE_TEXT = "idle";

    /// @throws IllegalArgumentException with a readable reason
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

    /// The value in an experiment file.
    public String text() {
        return equals(IDLE) ? IDLE_TEXT : Integer.toString(level);
    }

    /// The command line that starts a command with this priority.
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
