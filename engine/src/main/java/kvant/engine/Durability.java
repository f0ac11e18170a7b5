package kvant.engine;

import java.time.Duration;

/// The guarantee of an acknowledgement.
public sealed interface Durability {

    /// Acknowledged after the log that holds the write has been synced: survives a power cut.
    record Always() implements Durability {
        @Override
        public String toString() {
            return "always";
        }
    }

    /// Acknowledged at once and synced at most this much later: a power cut loses a suffix of the writes,
    /// never a hole.
    record Interval(Duration interval) implements Durability {
        public Interval {
            if (interval.toMillis() < 1 || interval.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("the interval is 1 to " + LONGEST.toMillis() + " ms");
            }
        }

        @Override
        public String toString() {
            return "interval=" + interval.toMillis();
        }
    }

    /// Acknowledged at once; the operating system decides when to sync. Survives the process, not the machine.
    record None() implements Durability {
        @Override
        public String toString() {
            return "none";
        }
    }

    Durability ALWAYS = new Always();
    Durability NONE = new None();

    /// The longest interval: beyond it, `none` promises about as much.
    Duration LONGEST = Duration.ofMinutes(1);

    /// Reads `always`, `interval=MS` or `none`.
    ///
    /// @throws IllegalArgumentException with the expected format
    static Durability parse(String text) {
        if (text.equals("always")) {
            return ALWAYS;
        }
        if (text.equals("none")) {
            return NONE;
        }
        if (text.startsWith("interval=")) {
            try {
                return new Interval(Duration.ofMillis(Long.parseLong(text.substring("interval=".length()))));
            } catch (NumberFormatException _) {
                throw unknown(text);
            }
        }
        throw unknown(text);
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a durability policy: use always, interval=MS (such as interval=100) or none");
    }
}
